# Sums the "tests: P passed, F failed, S skipped" lines of meson's test log, says
# what was skipped and what failed, and ends with the plain closing line.

function close_program()
{
  if (name == "")
    return
  bad = result != "exit status 0"
  if (!reported && !bad)
    here_passed = 1
  if (bad && here_failed == 0)
    here_failed = 1
  passed += here_passed
  failed += here_failed
  skipped += here_skipped
  if (here_failed > 0)
    printf "failed: %s (%d of its cases; %s)\n", name, here_failed, result
  name = ""
}

/^=+ [0-9]+\/[0-9]+ =+$/ { close_program(); heading = 1; next }
heading && /^test: / {
  name = $2
  reported = here_passed = here_failed = here_skipped = 0
  result = "no result"
  next
}
heading && /^result: / { sub(/^result: */, ""); result = $0; next }
/^-+ stdout -+$/ { heading = 0; next }
name != "" && /^tests: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
  reported = 1
  here_passed += $2
  here_failed += $4
  here_skipped += $6
  next
}
name != "" && /^skipped: / { print name ": " $0 }

END {
  close_program()
  if (passed + failed == 0)
    failed = 1
  line = passed " passed, " failed " failed"
  if (skipped > 0)
    line = line ", " skipped " skipped"
  print line
  exit failed > 0
}
