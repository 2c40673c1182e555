// @ts-check
// The same query for programs. Pure.

/**
 * @typedef {object} Snippet
 * @property {string} id
 * @property {string} code
 */

/**
 * A query as an address, for curl, and for Python, R and DuckDB.
 * @param {string} origin of this server, without a path @param {URLSearchParams} parameters the filters
 * @returns {Snippet[]}
 */
export function snippets(origin, parameters) {
  const query = encoded(parameters);
  const page = [query, 'limit=1000', 'properties=*'].filter(Boolean).join('&');
  const list = `${origin}/api/collections/devices/items?${page}`;
  const file = (/** @type {string} */ format) => `${origin}/api/exports/devices.${format}${query && `?${query}`}`;
  return [
    { id: 'address', code: list },
    { id: 'curl', code: `curl --fail --output devices.geojson \\\n  '${file('geojson')}'` },
    {
      id: 'python',
      code: `# pip install geopandas\nimport geopandas\n\ndevices = geopandas.read_file(\n    "${file('geojson')}")\n`
        + 'print(devices.groupby("category").size())',
    },
    {
      id: 'r',
      code: `# install.packages("sf")\nlibrary(sf)\n\ndevices <- st_read(\n  "${file('geojson')}")\n`
        + 'print(table(devices$category))',
    },
    {
      id: 'duckdb',
      code: `curl --fail --output devices.csv \\\n  '${file('csv')}'\n`
        + 'duckdb -c "SELECT category, count(*) AS devices FROM \'devices.csv\' GROUP BY ALL ORDER BY devices DESC"',
    },
  ];
}

/**
 * Percent-encoded so that no sign has a meaning in a shell or in a text of these languages.
 * @param {URLSearchParams} parameters
 */
function encoded(parameters) {
  return [...parameters].map(([name, value]) => `${name}=${
    encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  }`).join('&');
}
