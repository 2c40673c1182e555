// Made by setup/lookalikes.py from confusables.txt of Unicode 15.0 (Unicode Technical Standard 39),
// as ICU 72 has it; only what a username may hold, and changed as that script says.
//
// COPYRIGHT AND PERMISSION NOTICE
//
// Copyright © 1991-2022 Unicode, Inc. All rights reserved.
// Distributed under the Terms of Use in https://www.unicode.org/copyright.html.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data
// files and any associated documentation (the "Data Files") or Unicode software and any associated
// documentation (the "Software") to deal in the Data Files or Software without restriction,
// including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or
// sell copies of the Data Files or Software, and to permit persons to whom the Data Files or
// Software are furnished to do so, provided that either (a) this copyright and permission notice
// appear with all copies of the Data Files or Software, or (b) this copyright and permission notice
// appear in associated Documentation.
//
// THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
// PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
// HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL
// DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
// ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
// USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.
//
// Except as contained in this notice, the name of a copyright holder shall not be used in
// advertising or otherwise to promote the sale, use or other dealings in these Data Files or
// Software without prior written authorization of the copyright holder.

extension LookAlikes {
  /// Comma-separated entries: look-alike key, colon, characters that have it; as hexadecimal scalars.
  static let data = """
    : 64b 64e 64f 652 653 656 657 658 659 65a 65b 65c 65d 6df 6e8 6ec 900 901 902 93c 952 953 \
    954 981 9bc a02 a3c a81 a82 abc b01 b3c b82 bcd c00 c81 d01 e4d ecd f37 1036 17c6 17d3 309a, \
    21: 1c3, 27: 2b9 5d9, 27 62: 181, 27 63 6c: 18a, 27 6e: 149, 27 70: 1a4, 27 74: 1ac, 27 79: \
    1b3, 2f: 30ce 4e3f, 32: 1a7 1bb 3e8, 33: 1b7 21c 417 498 4e0, 35: 1bc, 36: 431, 38: 222 223 \
    b03, 3a: 903 a83, 3f: 241 97d, 5c: 4e36, 61: 41 391 3b1 410 430 1e9a, 61 65: c6 e6 4d4 4d5, \
    62: 42 180 182 183 184 243 392 411 412 42c 462 463 48c 48d, 62 6c: 42b, 63: 43 23b 23c 3f2 \
    3f9 421 441 4aa 4ab, 63 27: 187, 63 6c: 44 64 d0 110 111 189 18b 18c 500 501, 63 6c 7a: 1c4 \
    1c5 1c6 1f1 1f2 1f3, 65: 45 246 247 395 415 435 4bc 4bd 4be 4bf, 66: 46 17f 191 192 3dc 554 \
    584 1e9d, 67: 47 18d 1e4 1e5 50c 551 581, 67 27: 193, 68: 48 126 127 397 40b 41d 45b 4a2 4ba \
    4bb 4c7 4c9 540 570, 6a: 4a 248 249 37f 3f3 408 458, 6b: 4b 199 39a 41a 49a 49e, 6b 27: 198, \
    6c: 31 49 4c 69 131 141 142 196 197 19a 1c0 23d 37a 399 3b9 406 456 4c0 4cf 5d5 5df 627, 6c \
    6a: 132 133 1c7 1c8 1c9, 6c 6c: 1c1, 6c 6f: 42e, 6c b7: 13f 140, 6c 655: 673, 6c 674: 672 \
    675, 6e: 4e 19d 19e 220 39d 3b7 548 578 57c 1260, 6e 6a: 1ca 1cb 1cc, 6f: 30 4f d8 f8 19f \
    398 39f 3b8 3bf 3c2 3c3 3d1 3da 3db 3f4 41e 43e 472 473 4e8 4e9 555 585 5e1 647 6be 6c1 6d5 \
    6ff b20 c02 c82 d02 d20 d82 101d 10ff 12d0 1cbf, 6f 65: 152 153, 6f d30 6f: d5f, 6f 102c: \
    1010, 70: 50 1a5 3a1 3c1 3f1 420 440, 71: 51 51a 51b 533 536 563 566, 72: 52 1a6 24c 24d 433 \
    493, 72 27: 491, 72 6e: 4d 6d 39c 3fa 41c 4cd, 73: 53 1bd 405 455 54f, 73 73: df 3b2 3d0 \
    1e9e, 74: 54 166 167 1ad 1ae 23e 3a4 422 4ac, 75: 55 1b2 244 3c5 54d 57d 1200, 76: 56 3bd \
    474 475 5d8, 76 76: 57 77 19c 460 461 51c 51d 531 561, 76 76 486 487: 47c 47d, 78: 58 3a7 \
    425 445 4b2, 79: 59 194 1b4 24e 24f 393 3a5 3b3 3d2 413 423 443 492 4ae 4af 4b0 4b1 10e7 \
    1ca7 1efe 1eff, 79 27: 490, 7a: 5a 1b5 1b6 224 225 396, fe: de 1bf 1f7 3f7 3f8, 138: 3ba 3f0 \
    43a 49b 49f, 14b: 14a, 185: 44c, 185 6c: 44b, 195: 1f6 50a, 1a3: 1a2, 1a8: 3e9, 1b9: 1b8, \
    1dd: 18e 18f 4d8 4d9, 21d: 292 4e1 10f3 1cb3, 237: 545 575, 24b: 24a, 254: 186 37b 3fd, 25c: \
    437 499, 262: 50d, 270: 57a 1223, 278: 3a6 3c6 3d5 424 444 553 1240, 283: 1a9 3a3, 28a: 1b1, \
    28c: 245 39b 41b 4c5, 28d: 43c 4ce, 299: 432, 29c: 43d 4a3 4c8 4ca, 2c9 62: 42a 44a, 373: \
    372, 37c: 3fe, 3be: 39e, 3c0: 3a0 3d6 41f 43f, 3c8: 3a8 470 471, 3c9: 3a9, 3d7: 3cf, 3d9: \
    3d8, 3df: 3de, 3e1: 3e0, 3e3: 3e2, 3e5: 3e4, 3e7: 3e6, 3eb: 3ea, 3ed: 3ec, 3ef: 3ee, 434: \
    414, 436: 416 496 497, 43b: 4c6, 446: 426, 447: 427, 448: 428, 449: 429, 44d: 42d, 452: 402, \
    459: 409, 45a: 40a, 45f: 40f, 465: 464, 467: 466, 469: 468, 46b: 46a, 46d: 46c, 46f: 46e, \
    479: 478, 47b: 47a, 47f: 47e, 481: 480, 48f: 48e, 495: 494, 49d: 49c, 4a1: 4a0, 4a5: 4a4, \
    4a7: 4a6, 4a9: 4a8, 4b5: 4b4, 4b7: 4b6 4cb 4cc, 4b9: 4b8, 4c4: 4c3, 4f7: 4f6, 4fb: 4fa, 4fd: \
    4fc, 4ff: 4fe, 503: 502, 505: 504, 507: 506, 509: 508, 50f: 50e, 513: 512, 515: 514, 517: \
    516, 519: 518, 51f: 51e, 521: 520, 523: 522, 525: 524, 527: 526, 529: 528, 52b: 52a, 52d: \
    52c, 52f: 52e, 562: 532, 564: 534, 565: 535, 565 582: 587, 567: 537, 568: 538, 569: 539, \
    56a: 53a, 56c: 53c, 56d: 53d, 56f: 53f, 571: 541 1294, 572: 542, 573: 543, 576: 546, 577: \
    547, 579: 549, 57b: 54b, 57e: 54e, 580: 550, 582: 552, 586: 556, 628 6db: 751, 629: 6c3, 62d \
    654: 681 772, 62d 6db: 685, 62f: 6ee, 62f 615: 688, 62f 6db: 68e, 631: 692 6ef, 631 615: \
    691, 631 654: 76c, 631 6db: 698, 633: 77e, 633 6db: 634, 635 6db: 69e, 637 6db: 69f, 641: \
    6a7, 643: 6a9 6aa, 643 6db: 6ad 763, 644: 6b5, 644 6db: 6b7, 646: 769, 646 615: 768, 648: \
    6c6 6c7 6c9, 648 670: 6c8, 648 674: 676 677, 648 6db: 6cb, 649: 63d 64a 66e 6ba 6cc 6ce 6d2 \
    756, 649 615: 679 6bb, 649 674: 678, 649 6db: 62b 63f 67e 6bd 6d1, 655: 65f, 67b: 6d0, 68a \
    615: 68b, 697 615: 771, 6a1: 66f, 6a1 6db: 6a4 6a8, 6ac: 762, 6af 6db: 6b4, 754: 767, 905 \
    93e: 906, 905 93e 946: 912, 905 93e 947: 913, 905 93e 948: 914, 905 946: 904, 905 949: 911, \
    90f 945: 90d, 90f 946: 90e, 90f 947: 910, 930 94d 907: 908, 93d: abd, 941: ac1, 942: ac2, \
    946: a4b, 94d: a4d acd, 971: d4e, 983: a03 c03 c83 d03 d83 1038, 985 9be: 986, 98b 9c3: 9e0 \
    9e1, a05 a3e: a06, a05 a48: a10, a05 a4c: a14, a72 a3f: a07, a72 a40: a08, a72 a47: a0f, a73 \
    a41: a09, a73 a42: a0a, a85 abe: a86, a85 abe ac5: a91, a85 abe ac7: a93, a85 abe ac8: a94, \
    a85 ac5: a8d, a85 ac7: a8f, a85 ac8: a90, b05 b3e: b06, b88: bb0 bbe, b89: d09, b89 bb3: \
    b8a, b89 d57: d0a, b90: b9c d1c, b9f bbf: d3a, ba3: d23, ba9: bc8, bb3: bd7, bb4: d34, bb6: \
    d36, bbf: d3f d40, c05: c85, c06: c86, c07: c87, c0b c3e: c60, c0c c3e: c61, c12: c92, c12 \
    c4c: c14 c94, c12 c55: c13 c93, c1c: c9c, c1e: c9e, c21: c22, c23: ca3, c27 5bc: c25, c2c: \
    c2d, c2f: caf, c30 5bc: c20, c31: cb1, c32: cb2, c35: c37, c35 c3e: c39, c35 c41: c2e, c41 \
    c3e: c42, c43 c3e: c44, c8c cbe: ce1, d07 d57: d08, d0e d46: d10, d12 d3e: d13, d12 d57: \
    d14, d1e: d61, d28 d41: d0c d19, d28 d4d: d7b, d30: d31, d30 d4d: d7c, d41: d42 d43, d46 \
    d46: d48, e02: e03, e04: e14 e15, e06: e21, e08: e88, e0a: e0b, e0e: e0f, e11: e17, e1a: \
    e9a, e1b: e9b, e1d: e9d, e1e: e9e, e1f: e9f, e20: e26, e22: e8d, e32: e33 e45, e34: 17b7, \
    e35: 17b8, e36: 17b9, e37: 17ba, e38: eb8, e39: eb9, e40 e40: e41, e48: ec8 17cb, e49: ec9, \
    e4a: eca, e4b: ecb, eab e99: edc, eab ea1: edd, eb2: eb3, f62: f6a, f68 f7c f7e: f00, fb2 \
    f71 f80: f77, fb3 f71 f80: f79, 1002 102c: 1000, 1002 103e: 1081, 1003 103e: 1070, 1015 \
    102c: 101f, 1015 102c 103e: 106f, 1015 103e: 1066, 101e 103c: 1029, 101e 103c 1031 102c \
    103a: 102a, 1041: 1065, 107d 103e: 107e, 10d0: 1c90, 10d1: 1c91, 10d2: 1c92, 10d3: 1c93, \
    10d4: 1c94, 10d5: 1c95, 10d6: 1c96, 10d7: 1c97, 10d8: 1c98, 10d9: 1c99, 10da: 1c9a, 10db: \
    1c9b, 10dc: 1c9c, 10dd: 1c9d, 10de: 1c9e, 10df: 1c9f, 10e0: 1ca0, 10e1: 1ca1, 10e2: 1ca2, \
    10e3: 1ca3, 10e4: 1ca4, 10e5: 1ca5, 10e6: 1ca6, 10e8: 1ca8, 10e9: 1ca9, 10ea: 1caa, 10eb: \
    1cab, 10ec: 1cac, 10ed: 1cad, 10ee: 1cae, 10ef: 1caf, 10f0: 1cb0, 10f1: 1cb1, 10f2: 1cb2, \
    10f4: 1cb4, 10f5: 1cb5, 10f6: 1cb6, 10f7: 1cb7, 10f8: 1cb8, 10f9: 1cb9, 10fa: 1cba, 10fd: \
    1cbd, 10fe: 1cbe, 1100: 11a8, 1100 1100: 1101 11a9, 1100 1109: 11aa, 1102: 11ab, 1102 110c: \
    11ac, 1102 1112: 11ad, 1103: 11ae, 1103 1103: 1104, 1105: 11af, 1105 1100: 11b0, 1105 1106: \
    11b1, 1105 1107: 11b2, 1105 1109: 11b3, 1105 1110: 11b4, 1105 1111: 11b5, 1105 1112: 11b6, \
    1106: 11b7, 1107: 11b8, 1107 1107: 1108, 1107 1109: 11b9, 1109: 11ba, 1109 1109: 110a 11bb, \
    110b: 11bc, 110c: 11bd, 110c 110c: 110d, 110e: 11be, 110f: 11bf, 1110: 11c0, 1111: 11c1, \
    1112: 11c2, 1161 4e28: 1162, 1163 4e28: 1164, 1165 4e28: 1166, 1167 4e28: 1168, 1169 1161: \
    116a, 1169 1161 4e28: 116b, 1169 4e28: 116c, 116e 1165: 116f, 116e 1165 4e28: 1170, 116e \
    4e28: 1171, 1206: 544, 1261: 54c, 12ae: 53b, 1323: 54a, 17a2: 17a3, 1d0e: 376 377 418 438 \
    48a 48b, 1d19: 42f 44f, 1d1b: 3c4 442 4ad, 1e9f: 394 3b4 53e 56e, 1efb: 1efa, 1efd: 1efc, \
    2202: f0, 276c: 304f, 2c65: 23a, 2c76: 370, 2d01: 10a1, 2d02: 10a2, 2d03: 10a3, 2d04: 10a4, \
    2d05: 10a5, 2d06: 10a6, 2d07: 10a7, 2d08: 10a8, 2d09: 10a9, 2d0a: 10aa, 2d0b: 10ab, 2d0c: \
    10ac, 2d0d: 10ad, 2d0e: 10ae, 2d0f: 10af, 2d10: 10b0, 2d11: 10b1, 2d12: 10b2, 2d13: 10b3, \
    2d14: 10b4, 2d15: 10b5, 2d16: 10b6, 2d17: 10b7, 2d18: 10b8, 2d19: 10b9, 2d1a: 10ba, 2d1b: \
    10bb, 2d1c: 10bc, 2d1d: 10bd, 2d1e: 10be, 2d1f: 10bf, 2d20: 10c0, 2d21: 10c1, 2d22: 10c2, \
    2d23: 10c3, 2d24: 10c4, 2d25: 10c5, 2d27: 10c7, 2d2d: 10cd, 3078: 30d8, 30fc: 1173 4e00, \
    30fc 4e28: 1174, 3588: 439b, 363d: 39b3, 3a41: 6409, 3ada: 66f6, 3b35: 80f6, 3b3a: 5e50, \
    3b3b: 4420, 3ba3: 69e9, 4039: 9fc3, 403f: 6663, 4443: 6726, 46b6: 8a1e, 4e28: 1175, 4e8c: \
    30cb, 4ebb: 30a4, 4f75: 5002, 5024: 503c, 516b: 30cf, 529b: 30ab, 535c: 30c8, 53e3: 30ed \
    56d7, 5553: 555f, 571f: 58eb, 5861: 586b, 58ab: 58ff, 5915: 30bf, 5aaf: 5b00, 5de5: 30a8, \
    5e21: 5e32, 6236: 6238, 665a: 6669, 670c: 80a6, 670f: 80d0, 6710: 80ca, 6713: 8101, 6718: \
    8127, 6723: 81a7, 676e: 67ff, 699d: 6a27, 6e88: 6f59, 7814: 784f, 7d55: 7d76, 80fc: 8141, \
    848d: 853f, 8637: 8641, 8a2e: 8a7d, 8b86: 8b8f, 8c5c: 8c63, 8d7f: 8d86, 8de5: 8dfa, 8e97: \
    8e9b, 8eff: 8f27, 90ce: 90de, 93ad: 93ae, 96b7: 96b8, 9e42: 9e43, 9ed1: 9ed2, a73f: 37d 3ff, \
    a787: 10a0, a793: 190 3b5 3f5 404 454 510 511
    """
}
