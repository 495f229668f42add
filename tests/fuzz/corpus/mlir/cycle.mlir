#l = loc(fused[#l])
"builtin.module"() ({}) : () -> () loc(#l)
