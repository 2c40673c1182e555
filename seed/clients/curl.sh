# Cameras in a box, as GeoJSON. The link named "next" leads to the next page, while there is one.
curl --silent 'https://farol.example.org/api/collections/devices/items?bbox=6.05,46.1,6.3,46.3&category=camera_fixed&limit=1000'
