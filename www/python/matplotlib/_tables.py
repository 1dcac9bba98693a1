"""Tables of colours: anchors of the maps, evenly spaced from 0 to 1, the lists of colours, and the names of CSS."""

from __future__ import annotations

# Between two anchors a map is linear.
MAPS: dict[str, str] = {
    "viridis": (
        "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 "
        "5ec962 84d44b addc30 d8e219 fde725"
    ),
    "plasma": (
        "0d0887 310597 4c02a1 6600a7 7e03a8 9511a1 aa2395 bc3587 cc4778 da5a6a e66c5c f0804e "
        "f89540 fdac33 fdc527 f8df25 f0f921"
    ),
    "magma": (
        "000004 0a0822 1d1147 36106b 51127c 6a1c81 832681 9c2e7f b73779 d0416f e75263 f56b5c "
        "fc8961 fea772 fec488 fde2a3 fcfdbf"
    ),
    "inferno": (
        "000004 0b0724 210c4a 3d0965 57106e 71196e 8a226a a32c61 bc3754 d24644 e45a31 f1731d "
        "f98e09 fcac11 f9cb35 f2ea69 fcffa4"
    ),
    "cividis": (
        "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 "
        "bcae6c cdbb63 dec958 f0d846 fee838"
    ),
    "twilight": (
        "e2d9e2 c4ced4 95b5c7 7297c1 6276ba 5e51ad 592a8f 45135c 2f1436 4a1342 741e4f 983550 "
        "b25652 c27c63 cca389 d8c7be e2d9e2"
    ),
    "turbo": (
        "30123b 4040a2 466be3 4294ff 28bceb 18ddc2 32f298 6dfe62 a4fc3c cdec34 eecf3a fdac34 "
        "fb7e21 eb500e d02f05 a91601 7a0403"
    ),
    "jet": "000080 0000c8 0000ff 0040ff 0080ff 00c0ff 16ffe1 49ffad 7dff7a b1ff46 e4ff13 ffd000 ff9400 ff5900 ff1e00 c40000 800000",
    "hot": "0b0000 350000 5f0000 890000 b30000 dd0000 ff0800 ff3200 ff5c00 ff8600 ffb000 ffda00 ffff07 ffff46 ffff85 ffffc4 ffffff",
    "hsv": "ff0000 ff5f00 ffbd00 e2ff00 84ff00 25ff00 00ff39 00ff97 00fff6 00aaff 004bff 1300ff 7200ff d000ff ff00cf ff0071 ff0018",
    "terrain": (
        "333399 1e5ec4 0888ee 00acc4 01cc66 41d973 81e680 c1f38d fefe98 ded587 beac76 9e8365 "
        "815e56 a18781 c1b0ac e1d9d7 ffffff"
    ),
    "coolwarm": "3b4cc0 6282ea 8db0fe b9d0f9 dddcdc f5c4ac f4987a dd5f4b b40426",
    "Blues": "f7fbff deebf7 c6dbef 9dcae1 6aaed6 4191c6 2070b4 08509b 08306b",
    "Greens": "f7fcf5 e5f5e0 c7e9c0 a0d99b 73c476 40aa5d 228a44 006c2c 00441b",
    "Reds": "fff5f0 fee0d2 fcbba1 fc9272 fb694a ee3a2c ca181d a30f15 67000d",
    "Oranges": "fff5eb fee6ce fdd0a2 fdae6a fd8c3b f16813 d84801 a53603 7f2704",
    "Purples": "fcfbfd efedf5 dadaeb bcbddc 9e9ac8 807cba 6950a3 53268f 3f007d",
    "Greys": "ffffff f0f0f0 d9d9d9 bdbdbd 959595 727272 515151 242424 000000",
    "YlOrRd": "ffffcc ffeda0 fed976 feb24c fd8c3c fc4d2a e2191c bb0026 800026",
    "YlOrBr": "ffffe5 fff7bc fee390 fec34f fe9829 eb6f14 cb4b02 983404 662506",
    "YlGnBu": "ffffd9 edf8b1 c6e9b4 7ecdbb 40b5c4 1d90c0 225da8 243392 081d58",
    "YlGn": "ffffe5 f7fcb9 d9f0a3 acdd8e 77c679 40aa5c 228343 006737 004529",
    "OrRd": "fff7ec fee8c8 fdd49e fdba83 fc8c59 ef6447 d62f1e b20000 7f0000",
    "PuBu": "fff7fb ece7f2 d0d1e6 a5bddb 73a9cf 358fc0 056faf 04598c 023858",
    "BuPu": "f7fcfd e0ecf4 bfd3e6 9ebcda 8c95c6 8c6ab1 88409c 800f7b 4d004b",
    "GnBu": "f7fcf0 e0f3db ccebc5 a7ddb5 7accc4 4db2d3 2a8bbe 0867ab 084081",
    "RdPu": "fff7f3 fde0dd fcc5c0 fa9eb5 f767a1 dc3397 ad017e 790177 49006a",
    "bone": "000000 1c1c27 38384e 545574 707b90 8ca2ac a9c8c8 d5e4e4 ffffff",
    "copper": "000000 281910 4f3220 774b30 9e6440 c67d50 ed9660 ffaf6f ffc77f",
    "pink": "1e0000 744a4a a16868 c38280 d0ac94 ddcda5 e9e9b6 f4f4de ffffff",
    "RdBu": "67001f b1182b d6604d f3a481 fddbc7 f6f7f7 d1e5f0 90c4dd 4393c3 2065ab 053061",
    "RdYlBu": "a50026 d62f27 f46d43 fdad60 fee090 feffc0 e0f3f8 aad8e9 74add1 4574b3 313695",
    "RdYlGn": "a50026 d62f27 f46d43 fdad60 fee08b feffbe d9ef8b a5d86a 66bd63 199750 006837",
    "Spectral": "9e0142 d43d4f f46d43 fdad60 fee08b ffffbe e6f598 aadca4 66c2a5 3387bc 5e4fa2",
    "PuOr": "7f3b08 b25706 e08214 fcb761 fee0b6 f6f6f7 d8daeb b1aad1 8073ac 532687 2d004b",
    "BrBG": "543005 8b500a bf812d dec17b f6e8c3 f4f5f5 c7eae5 7fccc0 35978f 01655d 003c30",
    "PiYG": "8e0152 c41a7c de77ae f1b5d9 fde0ef f7f7f6 e6f5d0 b7e085 7fbc41 4c9121 276419",
    "PRGn": "40004b 752982 9970ab c1a4ce e7d4e8 f6f7f6 d9f0d3 a5da9f 5aae61 1a7736 00441b",
    "RdGy": "67001f b1182b d6604d f3a481 fddbc7 fefefe e0e0e0 b9b9b9 878787 4c4c4c 1a1a1a",
    "seismic": "00004c 0101ff fffdfd fe0000 800000",
    "bwr": "0000ff fffefe ff0000",
    "gray": "000000 ffffff",
    "cool": "00ffff ff00ff",
    "spring": "ff00ff ffff00",
    "summer": "008066 ffff66",
    "autumn": "ff0000 ffff00",
    "winter": "0000ff 00ff80",
    "binary": "ffffff 000000",
}

# Maps that are steps, one colour each.
LISTS: dict[str, str] = {
    "tab10": "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf",
    "tab20": (
        "1f77b4 aec7e8 ff7f0e ffbb78 2ca02c 98df8a d62728 ff9896 9467bd c5b0d5 8c564b c49c94 "
        "e377c2 f7b6d2 7f7f7f c7c7c7 bcbd22 dbdb8d 17becf 9edae5"
    ),
    "Set1": "e41a1c 377eb8 4daf4a 984ea3 ff7f00 ffff33 a65628 f781bf 999999",
    "Set2": "66c2a5 fc8d62 8da0cb e78ac3 a6d854 ffd92f e5c494 b3b3b3",
    "Set3": "8dd3c7 ffffb3 bebada fb8072 80b1d3 fdb462 b3de69 fccde5 d9d9d9 bc80bd ccebc5 ffed6f",
    "Paired": "a6cee3 1f78b4 b2df8a 33a02c fb9a99 e31a1c fdbf6f ff7f00 cab2d6 6a3d9a ffff99 b15928",
    "Pastel1": "fbb4ae b3cde3 ccebc5 decbe4 fed9a6 ffffcc e5d8bd fddaec f2f2f2",
    "Dark2": "1b9e77 d95f02 7570b3 e7298a 66a61e e6ab02 a6761d 666666",
    "Accent": "7fc97f beaed4 fdc086 ffff99 386cb0 f0027f bf5b17 666666",
}

ALIASES: dict[str, str] = {"grey": "gray", "Grays": "Greys", "gist_gray": "gray", "gist_heat": "hot", "rainbow": "turbo"}

NAMES: dict[str, str] = {
    name: f"#{value}"
    for name, value in zip(
        *[
            iter(
                """
aliceblue f0f8ff  antiquewhite faebd7  aqua 00ffff  aquamarine 7fffd4  azure f0ffff  beige f5f5dc  bisque ffe4c4
black 000000  blanchedalmond ffebcd  blue 0000ff  blueviolet 8a2be2  brown a52a2a  burlywood deb887
cadetblue 5f9ea0  chartreuse 7fff00  chocolate d2691e  coral ff7f50  cornflowerblue 6495ed  cornsilk fff8dc
crimson dc143c  cyan 00ffff  darkblue 00008b  darkcyan 008b8b  darkgoldenrod b8860b  darkgray a9a9a9
darkgreen 006400  darkgrey a9a9a9  darkkhaki bdb76b  darkmagenta 8b008b  darkolivegreen 556b2f
darkorange ff8c00  darkorchid 9932cc  darkred 8b0000  darksalmon e9967a  darkseagreen 8fbc8f
darkslateblue 483d8b  darkslategray 2f4f4f  darkslategrey 2f4f4f  darkturquoise 00ced1  darkviolet 9400d3
deeppink ff1493  deepskyblue 00bfff  dimgray 696969  dimgrey 696969  dodgerblue 1e90ff  firebrick b22222
floralwhite fffaf0  forestgreen 228b22  fuchsia ff00ff  gainsboro dcdcdc  ghostwhite f8f8ff  gold ffd700
goldenrod daa520  gray 808080  green 008000  greenyellow adff2f  grey 808080  honeydew f0fff0  hotpink ff69b4
indianred cd5c5c  indigo 4b0082  ivory fffff0  khaki f0e68c  lavender e6e6fa  lavenderblush fff0f5
lawngreen 7cfc00  lemonchiffon fffacd  lightblue add8e6  lightcoral f08080  lightcyan e0ffff
lightgoldenrodyellow fafad2  lightgray d3d3d3  lightgreen 90ee90  lightgrey d3d3d3  lightpink ffb6c1
lightsalmon ffa07a  lightseagreen 20b2aa  lightskyblue 87cefa  lightslategray 778899  lightslategrey 778899
lightsteelblue b0c4de  lightyellow ffffe0  lime 00ff00  limegreen 32cd32  linen faf0e6  magenta ff00ff
maroon 800000  mediumaquamarine 66cdaa  mediumblue 0000cd  mediumorchid ba55d3  mediumpurple 9370db
mediumseagreen 3cb371  mediumslateblue 7b68ee  mediumspringgreen 00fa9a  mediumturquoise 48d1cc
mediumvioletred c71585  midnightblue 191970  mintcream f5fffa  mistyrose ffe4e1  moccasin ffe4b5
navajowhite ffdead  navy 000080  oldlace fdf5e6  olive 808000  olivedrab 6b8e23  orange ffa500  orangered ff4500
orchid da70d6  palegoldenrod eee8aa  palegreen 98fb98  paleturquoise afeeee  palevioletred db7093
papayawhip ffefd5  peachpuff ffdab9  peru cd853f  pink ffc0cb  plum dda0dd  powderblue b0e0e6  purple 800080
rebeccapurple 663399  red ff0000  rosybrown bc8f8f  royalblue 4169e1  saddlebrown 8b4513  salmon fa8072
sandybrown f4a460  seagreen 2e8b57  seashell fff5ee  sienna a0522d  silver c0c0c0  skyblue 87ceeb
slateblue 6a5acd  slategray 708090  slategrey 708090  snow fffafa  springgreen 00ff7f  steelblue 4682b4
tan d2b48c  teal 008080  thistle d8bfd8  tomato ff6347  turquoise 40e0d0  violet ee82ee  wheat f5deb3
white ffffff  whitesmoke f5f5f5  yellow ffff00  yellowgreen 9acd32
""".split()
            )
        ]
        * 2
    )
}
