-- wrk … -s writes.lua URL -- TOKEN SEED: adds devices at random places, far enough apart that none is a likely
-- duplicate. Every response other than 201 counts as failed.

local headers = {}
local body = '{"type":"Feature","geometry":{"type":"Point","coordinates":[%.6f,%.6f]},"properties":{'
  .. '"name":"Camera over the door","category":"camera_fixed",'
  .. '"description":"Over the entrance, pointing at the pavement and the bus stop.",'
  .. '"setting":"outdoor","mount":"wall","bearings":[135],"data_collected":["video"],'
  .. '"assumed":["data_collected"],"operator":{"name":"City of Examples","kind":"public"},'
  .. '"choices":[{"kind":"access"}]}}'

function init(arguments)
  headers["Authorization"] = "Bearer " .. arguments[1]
  headers["Content-Type"] = "application/geo+json"
  math.randomseed(tonumber(arguments[2]))
end

function request()
  local longitude, latitude = math.random() * 360 - 180, math.random() * 160 - 80
  return wrk.format("POST", "/api/collections/devices/items", headers,
    body:format(longitude, latitude))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"bytes":%d,"failed":%d,"p50":%.4f,"p99":%.4f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
