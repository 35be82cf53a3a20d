import Foundation
import InlaySurface

/// The files that pages load, each by a fixed name: nothing of a request reaches the file system.
enum AssetFiles {
    /// Where Debian's `libjs-*` packages are installed.
    static let shared = URL(fileURLWithPath: "/usr/share/javascript", isDirectory: true)
    /// Where Debian's `fonts-inter` is installed.
    static let fonts = URL(fileURLWithPath: "/usr/share/fonts/opentype/inter", isDirectory: true)

    /// The bytes and media type of a name, or `nil`.
    static func file(_ name: String) -> (data: Data, mediaType: String)? {
        guard let url = locations[name], let data = try? Data(contentsOf: url) else { return nil }
        return (data, mediaType(of: name))
    }

    private static let locations: [String: URL] = {
        let own = PageLibrary.folder.appendingPathComponent("assets", isDirectory: true)
        var found: [String: URL] = [
            "bootstrap-reboot.css": shared.appendingPathComponent("bootstrap5/css/bootstrap-reboot.min.css"),
            "bootstrap.js": shared.appendingPathComponent("bootstrap5/js/bootstrap.bundle.min.js"),
            "chart.js": shared.appendingPathComponent("chart.js/chart.min.js"),
            "inter-regular.otf": fonts.appendingPathComponent("Inter-Regular.otf"),
            "inter-medium.otf": fonts.appendingPathComponent("Inter-Medium.otf"),
            "inter-semibold.otf": fonts.appendingPathComponent("Inter-SemiBold.otf"),
        ]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: own.path)) ?? [] {
            found[name] = own.appendingPathComponent(name)
        }
        return found
    }()

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "otf": "font/otf"
        default: "application/octet-stream"
        }
    }
}
