/// The names of the time zone database that have no region, and those of UTC, with the zones that they stand for.
///
/// From the database's file `backward`. Foundation accepts some of them too, but by the same rule as abbreviations such
/// as `PST` and offsets, which are no zones with a history.
enum CalendarZoneAliases {
    static let names = [
        "CET": "Europe/Brussels", "CST6CDT": "America/Chicago", "Cuba": "America/Havana",
        "EET": "Europe/Athens", "EST": "America/Panama", "EST5EDT": "America/New_York",
        "Egypt": "Africa/Cairo", "Eire": "Europe/Dublin", "GB": "Europe/London", "GB-Eire": "Europe/London",
        "HST": "Pacific/Honolulu", "Hongkong": "Asia/Hong_Kong", "Iceland": "Atlantic/Reykjavik",
        "Iran": "Asia/Tehran", "Israel": "Asia/Jerusalem", "Jamaica": "America/Jamaica",
        "Japan": "Asia/Tokyo", "Kwajalein": "Pacific/Kwajalein", "Libya": "Africa/Tripoli",
        "MET": "Europe/Brussels",
        "MST": "America/Phoenix", "MST7MDT": "America/Denver", "NZ": "Pacific/Auckland",
        "NZ-CHAT": "Pacific/Chatham", "Navajo": "America/Denver", "PRC": "Asia/Shanghai",
        "PST8PDT": "America/Los_Angeles", "Poland": "Europe/Warsaw", "Portugal": "Europe/Lisbon",
        "ROC": "Asia/Taipei", "ROK": "Asia/Seoul", "Singapore": "Asia/Singapore", "Turkey": "Europe/Istanbul",
        "W-SU": "Europe/Moscow", "WET": "Europe/Lisbon",
        "Etc/GMT": "UTC", "Etc/GMT+0": "UTC", "Etc/GMT-0": "UTC", "Etc/GMT0": "UTC", "Etc/Greenwich": "UTC",
        "Etc/UCT": "UTC", "Etc/UTC": "UTC", "Etc/Universal": "UTC", "Etc/Zulu": "UTC", "GMT": "UTC",
        "GMT+0": "UTC", "GMT-0": "UTC", "GMT0": "UTC", "Greenwich": "UTC", "UCT": "UTC", "Universal": "UTC",
        "Zulu": "UTC",
    ]
}
