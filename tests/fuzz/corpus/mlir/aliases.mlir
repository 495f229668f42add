#map = affine_map<(d0) -> (d0)>
#loc0 = loc("a":1:2)
"builtin.module"() ({ }) {m = #map, l = #gendram.owner<(i * 21 + j) mod 32>} : () -> () loc(#loc1)
#loc1 = loc(fused[#loc0, #loc2])
#loc2 = loc("n"(#loc0))
