public import Foundation

/// The files of a surface's page: those of the engine, and those of the view of one feature.
///
/// A view makes one value with its own bundle. A page loads nothing that is not named in it, and a host serves
/// nothing else.
public struct SurfaceAssets: Sendable {
    /// The style sheets of the page, in the order in which it loads them.
    public let styles: [String]
    /// The scripts that the page starts, in order; the engine's own is the last.
    public let scripts: [String]
    /// The names that a host serves beside the page: styles, scripts, and the modules that scripts import.
    public let names: Set<String>
    /// The names that a host serves below the surface's content at `~/`, for the frames in a page.
    public let frameNames: Set<String>

    /// The folders of the engine's files and of the view's.
    package let folders: [URL]

    private let folderByName: [String: URL]
    private let loadedRenderer: Result<SurfaceRenderer, any Error>

    /// The files of the engine alone, for a surface that is drawn by another program.
    public static let engine = SurfaceAssets(among: [.engine])

    /// The engine's files with those of a view, which are in the folder `Resources` of its bundle. The names
    /// of a view's templates begin with the name of the view, so that they differ from those of other views.
    package init(
        of bundle: Bundle, styles: [String] = [], scripts: [String] = [], modules: [String] = [],
        frames: [String] = []
    ) {
        let own = Part(
            folder: Part.folder(of: bundle), styles: styles, scripts: scripts, modules: modules,
            frames: frames)
        self.init(among: [.engine, own])
    }

    private init(among parts: [Part]) {
        styles = parts.flatMap(\.styles)
        // The engine's script connects the page to its host, so scripts that extend the connection load
        // before it.
        scripts = parts.reversed().flatMap(\.scripts)
        names = Set(parts.flatMap { $0.styles + $0.scripts + $0.modules })
        frameNames = Set(parts.flatMap(\.frames))
        folders = parts.map(\.folder)
        folderByName = Dictionary(
            parts.flatMap { part in part.files.map { ($0, part.folder) } }, uniquingKeysWith: { $1 })
        loadedRenderer = Result { [folders] in try SurfaceRenderer(folders: folders) }
    }

    /// The content security policy that every host sends with the page.
    public static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")

    /// The same for the page of a surface with content of its own: it may frame documents and play videos
    /// from below `content`, an absolute address that ends with a slash.
    public static func contentSecurityPolicy(content: String) -> String {
        "\(contentSecurityPolicy); frame-src \(content); media-src \(content)"
    }

    /// The media type of one of `names`.
    public static func mediaType(of name: String) -> String {
        name.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8"
    }

    /// The bytes of one of `names` or `frameNames`; `nil` for every other name, so a path from a request may be
    /// passed in.
    public func data(named name: String) -> Data? {
        folderByName[name].flatMap { try? Data(contentsOf: $0.appendingPathComponent(name)) }
    }

    /// The renderer of the engine's templates and the view's, which are read from disk once.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the resources are not beside the program.
    @_spi(Inlay) public func renderer() throws -> SurfaceRenderer { try loadedRenderer.get() }

    /// The page that shows a surface. It loads its assets by relative address and connects to the WebSocket
    /// `socket` beside itself, unless its host brings a bridge of its own.
    public func page(surface: String, title: String = "") throws -> Data {
        let page = Page(surface: surface, title: title, styles: styles, scripts: scripts)
        return Data(try renderer().render("page", page).utf8)
    }

    private struct Page: Encodable {
        let surface: String
        let title: String
        let styles: [String]
        let scripts: [String]
    }

    /// The files of one bundle.
    private struct Part: Sendable {
        let folder: URL
        var styles: [String] = []
        var scripts: [String] = []
        var modules: [String] = []
        var frames: [String] = []

        var files: [String] { styles + scripts + modules + frames }

        static let engine = Part(
            folder: folder(of: .module), styles: ["tokens.css", "surface.css"], scripts: ["surface.js"],
            modules: [
                "bridge.js", "elements.js", "environment.js", "events.js", "extensions.js", "focus.js",
                "frames.js",
                "morph.js", "motion.js", "patches.js", "places.js", "size.js",
            ],
            frames: ["frame-apis.js", "frame.js", "frame.css"])

        // Foundation on Linux uses a folder called Resources as the root of a bundle's resources, Foundation
        // on Apple platforms does not: there the files are in a folder Resources below that root.
        static func folder(of bundle: Bundle) -> URL {
            let root = bundle.resourceURL ?? bundle.bundleURL
            let inner = root.appendingPathComponent("Resources", isDirectory: true)
            return FileManager.default.fileExists(atPath: inner.path) ? inner : root
        }
    }
}
