// In any page or in Node: other sites may read the interface (CORS).
const cameras = [];
let address = 'https://farol.example.org/api/collections/devices/items'
  + '?bbox=6.05,46.1,6.3,46.3&category=camera_fixed&limit=1000';
while (address) {
  const answer = await fetch(address, { headers: { Accept: 'application/geo+json' } });
  if (!answer.ok) throw new Error((await answer.json()).detail);
  const page = await answer.json();
  cameras.push(...page.features);
  address = page.links.find((link) => link.rel === 'next')?.href;
}
console.log(cameras.length, 'devices');
