# pip install geopandas. Pages are fetched by themselves; the server carries out `bbox` and `where`.
import geopandas

cameras = geopandas.read_file(
    "OAPIF:https://farol.example.org/api", layer="devices",
    bbox=(6.05, 46.1, 6.3, 46.3), where="category = 'camera_fixed'")
print(len(cameras), "devices")
print(cameras.groupby("status").size())
