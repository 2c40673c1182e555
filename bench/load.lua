-- wrk … -s load.lua URL -- FILE START: requests the targets in FILE (one per line) in turn.
-- `{n}` in a target is replaced by a unique number, counted from START.

local targets, requests, place, serial = {}, {}, 0, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    targets[#targets + 1] = line
    if not line:find("{n}", 1, true) then requests[#targets] = wrk.format("GET", line) end
  end
  serial = tonumber(arguments[2])
end

function request()
  place = place % #targets + 1
  local ready = requests[place]
  if ready then return ready end
  serial = serial + 1
  return wrk.format("GET", (targets[place]:gsub("{n}", string.format("%d", serial))))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%d,"failed":%d,"p50":%.4f,"p99":%.4f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
