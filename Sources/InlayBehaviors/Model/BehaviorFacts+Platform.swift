import Foundation

extension DeviceFacts {
    /// The facts of this device.
    public static var current: DeviceFacts {
        #if canImport(Darwin)
            DeviceFacts(
                name: appleName, version: machine, osName: appleSystem, osVersion: systemVersion)
        #else
            linux(release: (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "")
        #endif
    }

    /// Returns the facts of a Linux machine whose `/etc/os-release` has this text.
    static func linux(release: String) -> DeviceFacts {
        DeviceFacts(
            name: "Linux", version: machine, osName: field("NAME", in: release) ?? "Linux",
            osVersion: field("VERSION_ID", in: release) ?? systemVersion)
    }

    private static func field(_ name: String, in release: String) -> String? {
        for line in release.split(separator: "\n") where line.hasPrefix(name + "=") {
            let value = line.dropFirst(name.count + 1).trimmingCharacters(in: ["\"", "'", " "])
            if !value.isEmpty { return value }
        }
        return nil
    }

    private static var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    private static var machine: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        let text = withUnsafeBytes(of: names.machine) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "unknown" : text
    }

    #if canImport(Darwin)
        private static var appleName: String {
            #if os(iOS)
                machine.hasPrefix("iPad") ? "iPad" : "iPhone"
            #else
                "Mac"
            #endif
        }

        private static var appleSystem: String {
            #if os(iOS)
                "iOS"
            #else
                "macOS"
            #endif
        }
    #endif
}

extension AppFacts {
    /// The facts of the running app, from its bundle.
    public static var current: AppFacts {
        let info = Bundle.main.infoDictionary ?? [:]
        return AppFacts(
            name: (info["CFBundleDisplayName"] ?? info["CFBundleName"]) as? String ?? "",
            version: (info["CFBundleShortVersionString"] ?? info["CFBundleVersion"]) as? String ?? "")
    }
}
