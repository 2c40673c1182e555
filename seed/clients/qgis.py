# In the Python console of QGIS; by hand: Layer > Add Layer > Add WFS / OGC API - Features Layer.
from qgis.core import QgsFeatureRequest, QgsProject, QgsRectangle, QgsVectorLayer

devices = QgsVectorLayer(
    "url='https://farol.example.org/api' typename='devices' pageSize='1000'", "Devices", "OAPIF")
QgsProject.instance().addMapLayer(devices)
geneva = QgsFeatureRequest().setFilterRect(QgsRectangle(6.05, 46.1, 6.3, 46.3))
geneva.setFilterExpression("\"category\" = 'camera_fixed'")
print(sum(1 for _ in devices.getFeatures(geneva)), "devices")
