public import Foundation

/// The files of a surface's page: those of the engine and those of one feature's view.
///
/// A view creates one value with its own bundle. A page loads only files that the value names, and a host serves no
/// others.
public struct SurfaceAssets: Sendable {
    /// The style sheets of the page, in the order in which it loads them.
    public let styles: [String]
    /// The scripts that the page loads, in order; the engine's own is the last.
    public let scripts: [String]
    /// The names that a host serves beside the page: styles, scripts, and imported modules.
    public let names: Set<String>
    /// The names that a host serves below the surface's content at `~/`, for frames of the page.
    public let frameNames: Set<String>

    /// The folders of the engine's files and of the view's.
    package let folders: [URL]

    private let folderByName: [String: URL]
    private let loadedRenderer: Result<SurfaceRenderer, any Error>

    /// The files of the engine alone, for a surface that another program draws.
    public static let engine = SurfaceAssets(among: [.engine])

    /// The files of the engine and of a view, which are in the folder `Resources` of its bundle. The names of a view's
    /// templates begin with the view's name, so that they differ from those of other views.
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

    /// The content security policy that hosts send with the page.
    public static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")

    /// Returns the policy for the page of a surface with its own content: the page may frame documents and play videos
    /// below `content`, an absolute URL that ends with a slash.
    public static func contentSecurityPolicy(content: String) -> String {
        "\(contentSecurityPolicy); frame-src \(content); media-src \(content)"
    }

    /// Returns the media type of one of `names`.
    public static func mediaType(of name: String) -> String {
        name.hasSuffix(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8"
    }

    /// Returns the bytes of one of `names` or `frameNames`; `nil` for any other name, so paths of requests may be
    /// passed unchecked.
    public func data(named name: String) -> Data? {
        folderByName[name].flatMap { try? Data(contentsOf: $0.appendingPathComponent(name)) }
    }

    /// Returns the renderer of the engine's and the view's templates, which are read from disk once.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    @_spi(Inlay) public func renderer() throws -> SurfaceRenderer { try loadedRenderer.get() }

    /// Returns the page that shows a surface. It loads its assets with relative URLs and connects to the WebSocket
    /// `socket` beside it, unless its host provides another bridge.
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

        // Foundation on Linux treats a folder named Resources as the root of a bundle's resources; Foundation on Apple
        // platforms does not, so there the files are in a subfolder Resources.
        static func folder(of bundle: Bundle) -> URL {
            let root = bundle.resourceURL ?? bundle.bundleURL
            let inner = root.appendingPathComponent("Resources", isDirectory: true)
            return FileManager.default.fileExists(atPath: inner.path) ? inner : root
        }
    }
}
