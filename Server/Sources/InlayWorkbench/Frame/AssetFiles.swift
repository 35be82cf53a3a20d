package import Foundation

/// The files that pages load, each by a fixed name: no part of a request becomes a path in the file system.
package struct AssetFiles: Sendable {
    /// The folder in which Debian's `libjs-*` packages are installed.
    static let shared = URL(fileURLWithPath: "/usr/share/javascript", isDirectory: true)
    /// The folder in which Debian's `fonts-inter` is installed.
    static let fonts = URL(fileURLWithPath: "/usr/share/fonts/opentype/inter", isDirectory: true)

    private let locations: [String: URL]

    /// Finds the files in the `assets` folders of `folders`, and those that Debian's packages install for all pages.
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

    /// Returns the bytes and the media type of a file; `nil` when there is no file of this name.
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
