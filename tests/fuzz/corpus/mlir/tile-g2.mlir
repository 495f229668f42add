"builtin.module"() ({
  "dp.semiring"() ({
  ^bb0(%arg0: f32, %arg1: f32):
    %0 = "dp.add"(%arg0, %arg1) : (f32, f32) -> f32 loc("up.gdsl":2:19)
    "dp.yield"(%0) : (f32) -> () loc("up.gdsl":2:19)
  }, {
  ^bb0(%arg2: f32, %arg3: f32):
    %1 = "dp.mul"(%arg2, %arg3) : (f32, f32) -> f32 loc("up.gdsl":2:28)
    "dp.yield"(%1) : (f32) -> () loc("up.gdsl":2:28)
  }) {carrier = {element = "f32", has_inf = false, has_minus_inf = false, high = 3.4028234663852886e+38 : f64, low = -3.4028234663852886e+38 : f64}, one = 1.0e+00 : f64, plus = "add", sym_name = "semiring", times = "mul", zero = 0.0e+00 : f64} : () -> () loc(fused["up.gdsl":2:19, "up.gdsl":2:28])
  %2 = "dp.data"() {content_hash = "0000000000000000", element = "f32", name = "C", source = "zeros"} : () -> memref<8x64xf32> loc("up.gdsl":2:3)
  %3 = "dp.data"() {content_hash = "0000000000000000", element = "f16", name = "A", source = "random(0)"} : () -> memref<8x128xf16> loc("up.gdsl":3:1)
  %4 = "dp.data"() {content_hash = "0000000000000000", element = "i6", name = "W", source = "random(0)"} : () -> memref<128x64xi6> loc("up.gdsl":4:1)
  %5 = "tile.product"(%2, %3, %4) ({
  ^bb0(%arg4: index, %arg5: index, %arg6: index):
    %6 = "tile.accumulator"(%arg4, %arg5) : (index, index) -> memref<8x64xf32> loc("C"("up.gdsl":2:3))
    %7 = "tile.operand"(%3, %arg4, %arg6) : (memref<8x128xf16>, index, index) -> memref<8x64xf16> loc("left"("up.gdsl":2:21))
    %8 = "tile.operand"(%4, %arg5, %arg6) : (memref<128x64xi6>, index, index) -> memref<64x64xi6> loc("right"("up.gdsl":2:30))
    %9 = "dp.grid_update"(%6, %7, %8) {semiring = @semiring} : (memref<8x64xf32>, memref<8x64xf16>, memref<64x64xi6>) -> memref<8x64xf32> loc(fused["up.gdsl":2:3, "C"("up.gdsl":2:3), "left"("up.gdsl":2:21), "right"("up.gdsl":2:30), "plus"("up.gdsl":2:19), "times"("up.gdsl":2:28)])
    "dp.yield"() : () -> () loc(fused["up.gdsl":2:3, "C"("up.gdsl":2:3), "left"("up.gdsl":2:21), "right"("up.gdsl":2:30), "plus"("up.gdsl":2:19), "times"("up.gdsl":2:28)])
  }) {deps = [[0, 0, 1]], maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>], semiring = @semiring, size = [8, 64, 128], tile = [8, 64, 64], tiles = [1, 1, 2], traversal = "product"} : (memref<8x64xf32>, memref<8x128xf16>, memref<128x64xi6>) -> memref<8x64xf32> loc(fused["up.gdsl":2:3, "C"("up.gdsl":2:3), "left"("up.gdsl":2:21), "right"("up.gdsl":2:30), "plus"("up.gdsl":2:19), "times"("up.gdsl":2:28), "tile"("up.gdsl":5:33)])
  "dp.result"(%5) : (memref<8x64xf32>) -> () loc("up.gdsl":2:3)
}) {dp.group = 2 : i64, dp.program = "up", tile.knobs = {page = "open", place = [{column = [], domain = [], row = [], rule = "plan"}, {column = [], domain = [], row = [], rule = "plan"}], quantum = 128 : i64, resident = 1 : i64, seed = 0 : i64, skew = 0 : i64, slab = 0 : i64, stages = 3 : i64, tile = [8, 64, 64], values = "auto", weights = "kxn"}, tile.target = {activate = 819200 : i64, age = 380000 : i64, banks = 4 : i64, burst = 1000 : i64, channels = 1 : i64, clock = 1000 : i64, columns = 4 : i64, command_bus = "split", data_bus = "channel", groups = 1 : i64, issue = 1 : i64, macs = 2048 : i64, map = "tier = [b2];bank = [b3, b4];row = [b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17];column = [b0, b1];", name = "cu-t2b4", pseudo_channels = 1 : i64, read_per_bit = 429 : i64, refresh = 104857600 : i64, refresh_scope = "channel", rows = 8192 : i64, scheduler = "fr-fcfs", tCCD = 1000 : i64, tFAW = 0 : i64, tFAW_scope = "channel", tREFI = 5460000 : i64, tRFC = 200000 : i64, tRRD = 3000 : i64, tRRD_scope = "channel", tWTR = 5000 : i64, tier = [{tCL = 10000 : i64, tCWL = 8000 : i64, tRAS = 26000 : i64, tRC = 36000 : i64, tRCD = 6000 : i64, tRP = 10000 : i64, tRTP = 5000 : i64, tWR = 10000 : i64}, {tCL = 10000 : i64, tCWL = 8000 : i64, tRAS = 28000 : i64, tRC = 38000 : i64, tRCD = 8000 : i64, tRP = 10000 : i64, tRTP = 5000 : i64, tWR = 10000 : i64}], tiers = 2 : i64, unit_bytes = 128 : i64, window = 32 : i64, write_high = 26 : i64, write_low = 6 : i64, write_per_bit = 429 : i64, write_queue = 32 : i64}} : () -> () loc("up"(fused["up.gdsl":1:11, "tile"("up.gdsl":5:33)]))
