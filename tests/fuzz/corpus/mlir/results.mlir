"builtin.module"() ({}) : () -> i32
