"""Adds devices with FastAPI and PostGIS, as Farol does: checks them, searches likely duplicates, writes the same tables
and responds after the commit is on disk."""

import datetime
import hashlib
import json
import os
import uuid
from contextlib import asynccontextmanager
from typing import Annotated, Literal

import asyncpg
from fastapi import FastAPI, Header, HTTPException, Response
from pydantic import BaseModel, Field


class Point(BaseModel):
    type: Literal["Point"]
    coordinates: tuple[Annotated[float, Field(ge=-180, le=180)], Annotated[float, Field(ge=-90, le=90)]]


class Operator(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    kind: Literal["public", "company", "household", "unknown"]


class Choice(BaseModel):
    kind: str


class Properties(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=120)]
    category: str
    description: Annotated[str, Field(max_length=2_000)] | None = None
    setting: Literal["public", "outdoor", "indoor"] | None = None
    mount: str | None = None
    bearings: list[float] = []
    data_collected: list[str] = []
    assumed: list[str] = []
    operator: Operator | None = None
    choices: list[Choice] = []


class Feature(BaseModel):
    type: Literal["Feature"]
    geometry: Point
    properties: Properties


@asynccontextmanager
async def lifespan(app):
    app.state.pool = await asyncpg.create_pool(os.environ["PEER_DATABASE"], min_size=8, max_size=8)
    yield
    await app.state.pool.close()


app = FastAPI(lifespan=lifespan)

NEAR = """
    SELECT id FROM device WHERE public_point && ST_Expand($1::geometry, 0.001)
    AND ST_DWithin(public_point::geography, $1::geography, 50) AND category = $2 AND hidden = 0 LIMIT 5"""
DEVICE = """
    INSERT INTO device (
      id, name, category, longitude, latitude, precision, description, setting, mount, bearings, data_collected,
      assumed, operator_rowid, choices, stale_on, created_at, updated_at, public_point, account_rowid, words)
    VALUES (
      $1, $2, $3, $4, $5, 'exact', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16::geometry, $17,
      to_tsvector('simple', concat_ws(' ', $2::text, $6::text, $18::text)))
    RETURNING rowid"""


async def operator_row(database, operator):
    if operator is None:
        return None
    values = (operator.name, operator.kind)
    known = await database.fetchval("SELECT rowid FROM operator WHERE name = $1 AND kind = $2", *values)
    return known or await database.fetchval(
        "INSERT INTO operator (name, kind) VALUES ($1, $2) RETURNING rowid", *values)


async def store(database, feature, account):
    """Writes all rows of a device. Returns its id and its feature."""
    longitude, latitude = feature.geometry.coordinates
    said = feature.properties
    place = f"SRID=4326;POINT({longitude} {latitude})"
    if await database.fetch(NEAR, place, said.category):
        raise HTTPException(409)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    identifier = uuid.uuid4()
    rowid = await database.fetchval(
        DEVICE, identifier, said.name, said.category, longitude, latitude, said.description, said.setting,
        said.mount, json.dumps(said.bearings), json.dumps(said.data_collected), json.dumps(said.assumed),
        await operator_row(database, said.operator), json.dumps([choice.kind for choice in said.choices]),
        now.date() + datetime.timedelta(days=365), now, place, account,
        said.operator.name if said.operator else None)
    await database.execute("INSERT INTO device_location VALUES ($1, $2, $3)", rowid, longitude, latitude)
    for position, choice in enumerate(said.choices):
        await database.execute(
            "INSERT INTO device_choice (device_rowid, position, kind) VALUES ($1, $2, $3)",
            rowid, position, choice.kind)
    await database.execute(
        "INSERT INTO revision (device_rowid, number, kind, made_at, account_rowid) VALUES ($1, 1, 'add', $2, $3)",
        rowid, now, account)
    await database.execute(
        "INSERT INTO change (device_rowid, kind, changed_at) VALUES ($1, 'added', $2)", rowid, now)
    told = json.dumps({
        "type": "Feature", "id": str(identifier), "geometry": feature.geometry.model_dump(),
        "properties": said.model_dump() | {"status": "reported", "created_at": now.isoformat()}})
    await database.execute("INSERT INTO device_listing VALUES ($1, $2)", rowid, told)
    return identifier, told


@app.post("/api/collections/devices/items", status_code=201)
async def add(feature: Feature, authorization: Annotated[str, Header()]):
    token = hashlib.sha256(authorization.removeprefix("Bearer ").encode()).digest()
    async with app.state.pool.acquire() as database, database.transaction():
        account = await database.fetchval("SELECT rowid FROM account WHERE token = $1", token)
        if account is None:
            raise HTTPException(401)
        identifier, told = await store(database, feature, account)
    return Response(told, status_code=201, media_type="application/geo+json",
                    headers={"Location": f"/api/collections/devices/items/{identifier}"})
