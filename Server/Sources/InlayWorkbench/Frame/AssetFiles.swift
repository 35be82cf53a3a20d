package import Foundation

/// The files that pages load, each by a fixed name: nothing of a request reaches the file system.
package struct AssetFiles: Sendable {
    /// The folder in which Debian's `libjs-*` packages are installed.
    static let shared = URL(fileURLWithPath: "/usr/share/javascript", isDirectory: true)
    /// The folder in which Debian's `fonts-inter` is installed.
    static let fonts = URL(fileURLWithPath: "/usr/share/fonts/opentype/inter", isDirectory: true)

    private let locations: [String: URL]

    /// The files in the `assets` of folders, and those that Debian's packages install for all pages.
    package init(folders: [URL]) {
        var found: [String: URL] = [
            "bootstrap-reboot.css": Self.shared.appendingPathComponent(
                "bootstrap5/css/bootstrap-reboot.min.css"),
            "bootstrap.js": Self.shared.appendingPathComponent("bootstrap5/js/bootstrap.bundle.min.js"),
            "chart.js": Self.shared.appendingPathComponent("chart.js/chart.min.js"),
            "inter-regular.otf": Self.fonts.appendingPathComponent("Inter-Regular.otf"),
            "inter-medium.otf": Self.fonts.appendingPathComponent("Inter-Medium.otf"),
            "inter-semibold.otf": Self.fonts.appendingPathComponent("Inter-SemiBold.otf"),
        ]
        for folder in folders.map({ $0.appendingPathComponent("assets", isDirectory: true) }) {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                found[name] = folder.appendingPathComponent(name)
            }
        }
        locations = found
    }

    /// The bytes and media type of a name, or `nil`.
    package func file(_ name: String) -> (data: Data, mediaType: String)? {
        guard let url = locations[name], let data = try? Data(contentsOf: url) else { return nil }
        return (data, Self.mediaType(of: name))
    }

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
