"builtin.module"() ({
  "dp.semiring"() ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = "dp.min"(%arg0, %arg1) : (i32, i32) -> i32
    "dp.yield"(%0) : (i32) -> ()
  }, {
  ^bb0(%arg2: i32, %arg3: i32):
    %1 = "dp.add"(%arg2, %arg3) : (i32, i32) -> i32
    "dp.yield"(%1) : (i32) -> ()
  }) {carrier = {element = "i32", has_inf = true, has_minus_inf = false, high = 2147483647 : i64, low = -2147483648 : i64}, one = 0 : i64, plus = "min", sym_name = "semiring", times = "add", zero = #dp.inf} : () -> ()
  %2 = "dp.data"() {content_hash = "0000000000001234", element = "i32", name = "D", source = "graph(\22roads.gr\22)"} : () -> memref<1000x1000xi32>
  "dp.buffer"() {bytes = 262144 : i64, elements = 65536 : i64, from = "pivot", name = "C", padded_elements = 65536 : i64, sets = 1 : i64, to = "internal"} : () -> ()
  "dp.buffer"() {bytes = 262144 : i64, elements = 65536 : i64, from = "cross", name = "left", padded_elements = 65536 : i64, sets = 1 : i64, to = "internal"} : () -> ()
  "dp.buffer"() {bytes = 262144 : i64, elements = 65536 : i64, from = "cross", name = "right", padded_elements = 65536 : i64, sets = 1 : i64, to = "internal"} : () -> ()
  %3 = "dp.blocked_update"(%2, %2, %2) ({
  ^bb0(%arg4: index):
    %4 = "dp.phase"(%arg4) ({
    ^bb0(%arg5: index, %arg6: index):
      %5 = "dp.tile"(%2, %arg5, %arg6) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %6 = "dp.tile"(%2, %arg5, %arg4) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %7 = "dp.tile"(%2, %arg4, %arg6) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %8 = "dp.grid_update"(%5, %6, %7) {semiring = @semiring} : (memref<256x256xi32>, memref<256x256xi32>, memref<256x256xi32>) -> memref<256x256xi32>
      "dp.store"(%8, %2, %arg5, %arg6) : (memref<256x256xi32>, memref<1000x1000xi32>, index, index) -> ()
      "dp.yield"() : () -> ()
    }) {kind = "pivot", reads = ["C"]} : (index) -> !dp.token
    %9 = "dp.phase"(%arg4, %4) ({
    ^bb0(%arg7: index, %arg8: index):
      %10 = "dp.tile"(%2, %arg7, %arg8) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %11 = "dp.tile"(%2, %arg7, %arg4) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %12 = "dp.tile"(%2, %arg4, %arg8) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %13 = "dp.grid_update"(%10, %11, %12) {semiring = @semiring} : (memref<256x256xi32>, memref<256x256xi32>, memref<256x256xi32>) -> memref<256x256xi32>
      "dp.store"(%13, %2, %arg7, %arg8) : (memref<256x256xi32>, memref<1000x1000xi32>, index, index) -> ()
      "dp.yield"() : () -> ()
    }) {kind = "cross", reads = ["C", "pivot"]} : (index, !dp.token) -> !dp.token
    %14 = "dp.phase"(%arg4, %9) ({
    ^bb0(%arg9: index, %arg10: index):
      %15 = "dp.tile"(%2, %arg9, %arg10) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %16 = "dp.tile"(%2, %arg9, %arg4) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %17 = "dp.tile"(%2, %arg4, %arg10) : (memref<1000x1000xi32>, index, index) -> memref<256x256xi32>
      %18 = "dp.grid_update"(%15, %16, %17) {semiring = @semiring} : (memref<256x256xi32>, memref<256x256xi32>, memref<256x256xi32>) -> memref<256x256xi32>
      "dp.store"(%18, %2, %arg9, %arg10) : (memref<256x256xi32>, memref<1000x1000xi32>, index, index) -> ()
      "dp.yield"() : () -> ()
    }) {kind = "internal", reads = ["C", "left", "right"]} : (index, !dp.token) -> !dp.token
    "dp.yield"() : () -> ()
  }) {cycle_check = true, deps = [[0, 0, 1]], edges = "trimmed", element_bits = 32 : i64, limit = 256 : i64, maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>], n = 1000 : i64, semiring = @semiring, tile = 256 : i64, tiles = 4 : i64, traversal = "blocked"} : (memref<1000x1000xi32>, memref<1000x1000xi32>, memref<1000x1000xi32>) -> memref<1000x1000xi32>
  "dp.result"(%3) : (memref<1000x1000xi32>) -> ()
}) {dp.group = 2 : i64, dp.program = "apsp", gendram.knobs = {barriers = "superstep", baseline = "none", buffers = 1 : i64, compute = 3 : i64, copies = "t0", copy_writes = "free", edges = "trimmed", owner = "skewed", page = "closed", place = "auto", place_first = 0 : i64, place_last = 0 : i64, precision = 32 : i64, ring = "on", search = 1 : i64, seed = 0 : i64, tile = 0 : i64, values = "auto"}, gendram.target = {alu_fj = 200 : i64, banks = 4 : i64, beat_bytes = 128 : i64, burst = 1000 : i64, channels = 2 : i64, clock = 1000 : i64, dram_fj_per_bit = 429 : i64, groups = 2 : i64, hop_fj_per_bit = 50 : i64, name = "gendram", pes = 16 : i64, pus = 4 : i64, ring_bytes = 16 : i64, ring_hop = 1 : i64, row_bytes = 1024 : i64, rows = 65536 : i64, scratchpad_bytes = 262144 : i64, search_pus = 1 : i64, sram_bytes = 786432 : i64, sram_local_fj = 7480 : i64, sram_shared_fj = 320600 : i64, tCCD = 1000 : i64, tFAW = 16000 : i64, tREFI = 0 : i64, tRFC = 260000 : i64, tRRD = 4000 : i64, tWTR = 5000 : i64, tier = [{tCL = 10000 : i64, tCWL = 8000 : i64, tRAS = 29500 : i64, tRC = 34270 : i64, tRCD = 2000 : i64, tRP = 4770 : i64, tRTP = 5000 : i64, tWR = 10000 : i64}, {tCL = 10000 : i64, tCWL = 8000 : i64, tRAS = 31500 : i64, tRC = 36270 : i64, tRCD = 4000 : i64, tRP = 4770 : i64, tRTP = 5000 : i64, tWR = 10000 : i64}], tier_bytes = 1073741824 : i64, tiers = 2 : i64}} : () -> ()
