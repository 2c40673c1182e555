# install.packages("sf"). Pages are fetched by themselves; the server carries out the box and the query.
library(sf)

box <- st_as_sfc(st_bbox(c(xmin = 6.05, ymin = 46.1, xmax = 6.3, ymax = 46.3), crs = 4326))
cameras <- st_read(
  "OAPIF:https://farol.example.org/api",
  query = "SELECT * FROM devices WHERE category = 'camera_fixed'",
  wkt_filter = st_as_text(box), quiet = TRUE)
cat(nrow(cameras), "devices\n")
print(table(cameras$status))
