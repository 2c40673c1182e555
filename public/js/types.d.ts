// The shapes of the interface's JSON and of values that several folders share. A script names one with
// `@typedef {import('../types').DeviceFeature} DeviceFeature`.
//
// Times are RFC 3339 in UTC, days are ISO 8601. `null` means that a value is not known.

/** Any parsed JSON. */
export type JSONValue = string | number | boolean | null | JSONValue[] | JSONObject;
export type JSONObject = { [name: string]: JSONValue };

// GeoJSON (RFC 7946)

export type Position = [longitude: number, latitude: number];
/** Degrees on WGS 84. A `west` greater than `east` means that the box crosses the antimeridian. */
export type Box = [west: number, south: number, east: number, north: number];
/** The centre and the zoom of a map, as MapLibre counts zoom levels. */
export type View = { longitude: number, latitude: number, zoom: number };

export type Point = { type: 'Point', coordinates: Position };
export type MultiPoint = { type: 'MultiPoint', coordinates: Position[] };
export type LineString = { type: 'LineString', coordinates: Position[] };
export type MultiLineString = { type: 'MultiLineString', coordinates: Position[][] };
export type Polygon = { type: 'Polygon', coordinates: Position[][] };
export type MultiPolygon = { type: 'MultiPolygon', coordinates: Position[][][] };
export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon;

export type Feature<Shape = Geometry, Properties = Record<string, unknown>> = {
  type: 'Feature', id?: string | number, geometry: Shape, properties: Properties,
};
export type FeatureCollection<Member = Feature> = { type: 'FeatureCollection', features: Member[] };

// Responses of the interface

export type Link = { href: string, rel: string, type?: string, title?: string };

/** One page of a list. The request for the next page sends `next` as `cursor`; null on the last page. */
export type Page<Name extends string, Item> = { [name in Name]: Item[] } & { next: string | null };

/** One page of features. The link with `rel: 'next'` leads to the next page. */
export type FeaturePage<Member = Feature> = FeatureCollection<Member> & {
  links?: Link[], timeStamp?: string, numberMatched?: number, numberReturned?: number,
};

/** A parameter or member that the server refused. */
export type FieldError = { field: string, detail: string };

/** An error response (RFC 9457). Some types of problem have further members. */
export type Problem = {
  type?: string, title?: string, status: number, detail?: string, errors?: FieldError[], more_errors?: boolean,
  [extra: string]: any,
};

// Devices

export type Status = 'reported' | 'confirmed' | 'disputed' | 'removed' | 'not_a_device';
export type Precision = 'exact' | '100m' | '1km' | 'area';

export type DeviceOperator = {
  name: string | null, kind: string | null,
  contact?: string, privacy_policy?: string, data_protection_contact?: string,
};
export type DeviceSource = {
  name: string | null, licence: string | null, attribution: string | null, url: string | null,
};
/** A choice that the operator offers to people, such as access to recordings. */
export type OfferedChoice = {
  kind: string, channel?: string | null, target?: string | null, instructions?: string | null,
  deadline_days?: number | null, checked_on?: string | null,
};
export type ClaimName = 'present' | 'function' | 'data' | 'operator';
export type Verdict = 'confirm' | 'dispute';
/** Confirmations and disputes of one claim about a device. */
export type DeviceClaim = {
  claim: ClaimName, verdict: 'confirmed' | 'disputed' | 'open', basis: string[],
  confirmations: number, disputes: number,
  last_at: string | null, stale_on?: string, mine?: Verdict | null,
};
export type DevicePhoto = { id: string, alt: string, width: number, height: number, url: string, thumb: string };
/** The statement of the operator about its device; further members are properties of the device. */
export type OperatorStatement = {
  operator: { id: string, name: string }, stated_at: string, note: string | null, [property: string]: any,
};

/** The properties of a device. Lists contain few of them unless the request names more. */
export type DeviceProperties = {
  name: string,
  category: string,
  data_collected?: string[],
  status?: Status,
  operator?: DeviceOperator | null,
  precision?: Precision,
  description?: string | null,
  manufacturer?: string | null,
  model?: string | null,
  units?: number | null,
  /** Whether the place itself is known only roughly. */
  approximate?: boolean,
  /** ISO 3166-1 alpha-2. */
  country?: string | null,
  country_uncertain?: boolean,
  level?: string | null,
  /** Metres above the ground. */
  height?: number | null,
  setting?: string | null,
  zone?: string | null,
  /** Degrees clockwise from north. */
  bearings?: number[],
  /** Degrees. */
  field_of_view?: number | null,
  mount?: string | null,
  purposes?: string[],
  identifiability?: string | null,
  processing?: string | null,
  storage?: string | null,
  /** ISO 8601 duration. */
  retention?: string | null,
  shared_with?: string[],
  legal_basis?: string | null,
  signage?: string | null,
  choices?: OfferedChoice[],
  /** The names of properties that nobody observed and that come from the category. */
  assumed?: string[],
  /** A day, a month or a year. */
  started_on?: string | null,
  observed_on?: string | null,
  stale_on?: string | null,
  source?: DeviceSource | null,
  refs?: Record<string, string[]> | null,
  tags?: Record<string, string> | null,
  claims?: DeviceClaim[],
  photos?: DevicePhoto[],
  registered_operator?: { id: string, name: string } | null,
  statement?: OperatorStatement | null,
  revision?: number,
  created_at?: string,
  updated_at?: string,
  last_confirmed?: string | null,
  /** Metres from the place by which the list is sorted. */
  distance?: number,
};
/** The name of a property of devices. */
export type DeviceField = keyof DeviceProperties;
export type DeviceFeature = Feature<Point, DeviceProperties> & { id: string, links?: Link[] };
/** A list of devices; the members of `with` only where they were requested. */
export type DevicePage = FeaturePage<DeviceFeature> & {
  kinds?: { category: string, count: number }[], places?: (NearPlace | null)[],
};

/** A change of a device in its history. */
export type Revision = {
  number: number, kind: string, made_at: string, author: string | null, comment: string | null, changed: string[],
  import: number | null, changes?: { field: string, before: unknown, after: unknown }[], feature?: DeviceFeature,
};
/** One page of a history, the latest revision first. The request for the next page sends `next` as `before`. */
export type History = { revisions: Revision[], next: number | null };

// Vocabulary and places

/** A term of the vocabulary. Some schemes have further members. */
export type Term = {
  code: string, label: string, plural?: string, definition?: string, parent?: string | null, icon?: string,
  sources?: TermSource[],
  /** The labels that a term of the glossary explains, such as `field:retention`. */
  see?: string[],
  /** The kinds of data that devices of a category usually collect. */
  collects?: string[],
  /** Names and everyday words of a category, in all languages. */
  words?: string[],
  /** The categories of a group. */
  categories?: string[],
  [extra: string]: any,
};
/** A source of a definition, with its title in further languages: `pt`. */
export type TermSource = { title: string, url: string, [language: string]: string };
/** `GET /api/taxonomies/{scheme}`. */
export type Taxonomy = { scheme: string, language: string, terms: Term[] };

/** A place of the search. */
export type Place = {
  id: string | number | null, name: string, kind?: string, locality?: string | null, region?: string | null,
  country?: string | null,
  country_name?: string | null, longitude: number, latitude: number, bbox?: number[], population?: number,
  /** Whether its border is known; otherwise `bbox` is a square around it. */
  bordered?: boolean,
  is_exact?: boolean,
};
/** A town of `/api/places/nearest`, with its distance in metres from the position. */
export type NearPlace = Place & { distance: number };

// Accounts

export type Role = 'contributor' | 'operator' | 'moderator' | 'admin';
export type Suspension = { until: string | null, reason: string | null };
/** The account of the user who is signed in. */
export type Account = {
  id: string,
  username: string,
  email: string,
  locale: string,
  role: Role,
  confirmed: boolean,
  suspended: Suspension | null,
  second_factor: { enabled: boolean, required: boolean, recovery_codes_left: number },
  new: boolean,
  created_at: string,
  pending_email: string | null,
  /** Whether other users may request the records of this account. */
  data_requests?: boolean,
};
/** `GET /api/session`. */
export type SessionResponse = { csrf_token: string, expires_at?: string, account: Account };

// Settings of the instance

export type TileSet = {
  tiles: string, min_zoom: number, max_zoom: number, attribution: string, format: 'vector' | 'raster',
  /** The schema of vector tiles: one of `map/street-schemas.js`. */
  schema: string | null,
  /** Null: the whole world. */
  bounds: Box | null,
};
/** `GET /api/settings`. */
export type Settings = {
  name: string,
  contact: string | null,
  view: View,
  base_map: TileSet,
  /** Whether set-up still builds the detailed one. */
  is_base_map_coarse: boolean,
  streets: TileSet[],
  /** Tiles of another server, which learns the addresses of visitors. */
  tile_url: { url: string, host: string, attribution: string, type: string } | null,
  /** Aerial images that the user may switch on; `host` names a server that then learns the user’s address. */
  satellite: {
    tiles: string, attribution: string, host: string | null, min_zoom: number, max_zoom: number, bounds: Box | null,
  } | null,
  /** Further collections, drawn below the devices if the user chooses them. */
  collections: { id: string, title: string, attribution: string }[],
  version: string,
  counts: { devices: number },
  licence?: string,
};

// Databases in the browser (storage/database.js)

/** A store of objects: `key` and `indexes` are members of the objects. */
export type StoreShape = { key: string, indexes?: string[] };
/** The stores that each version of a database adds, by name. */
export type DatabaseVersions = Record<string, StoreShape>[];

/** Reads and changes of one transaction. `Stores` has the type of the objects of each store. */
export interface Transaction<Stores> {
  get<Name extends keyof Stores & string>(store: Name, key: string): Promise<Stores[Name] | undefined>;
  all<Name extends keyof Stores & string>(store: Name): Promise<Stores[Name][]>;
  /** The keys of the objects whose member `index` has a value. */
  keys<Name extends keyof Stores & string>(store: Name, index: string, value: string): Promise<string[]>;
  put<Name extends keyof Stores & string>(store: Name, value: Stores[Name]): void;
  delete(store: keyof Stores & string, key: string): void;
  clear(store: keyof Stores & string): void;
}

export interface Database<Stores> {
  /** Whether the objects outlast the page. */
  readonly isLasting: boolean;
  get<Name extends keyof Stores & string>(store: Name, key: string): Promise<Stores[Name] | undefined>;
  all<Name extends keyof Stores & string>(store: Name): Promise<Stores[Name][]>;
  put<Name extends keyof Stores & string>(store: Name, value: Stores[Name]): Promise<void>;
  delete(store: keyof Stores & string, key: string): Promise<void>;
  /**
   * Runs `act` in a transaction on some stores. If `act` throws, nothing is changed. Inside, `act` may wait
   * for reads of the transaction only: IndexedDB commits a transaction that has no request left.
   */
  write<Result>(
    stores: (keyof Stores & string)[], act: (transaction: Transaction<Stores>) => Promise<Result> | Result,
  ): Promise<Result>;
}
