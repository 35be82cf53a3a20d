import Foundation
import Mustache

/// The Workbench's templates, parsed once in the life of the process.
struct PageLibrary: Sendable {
    /// Why a page could not be made; both mean a damaged installation, never bad content.
    enum Failure: Error, Hashable {
        /// No templates beside the program.
        case noTemplates(folder: String)
        /// No template of this name.
        case noTemplate(String)
    }

    private let library: MustacheLibrary

    /// The folder with templates and assets. A bundle's resource folder is on some systems the copied folder
    /// itself and on others the one around it.
    static let folder: URL = {
        let root = Bundle.module.resourceURL ?? Bundle.module.bundleURL
        let places = ["workbench", "Resources/workbench"].map {
            root.appendingPathComponent($0, isDirectory: true)
        }
        return places.first { FileManager.default.fileExists(atPath: $0.path) } ?? places[0]
    }()

    /// The library, or why there is none.
    static func load() throws -> PageLibrary { try loaded.get() }

    private static let loaded = Result {
        try PageLibrary(folder: folder.appendingPathComponent("templates", isDirectory: true))
    }

    init(folder: URL) throws {
        // Registered before the first template is parsed: the parser looks the name up.
        MustacheContentTypes.register(PageText(), named: PageText.name)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var library = MustacheLibrary()
        for file in files where file.hasSuffix(".mustache") {
            let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            // Every template says how to escape, because a partial starts again with Mustache's own way.
            try library.register(
                "{{% CONTENT_TYPE:\(PageText.name)}}" + source,
                named: String(file.dropLast(".mustache".count)))
        }
        guard library.getTemplate(named: "layout") != nil else {
            throw Failure.noTemplates(folder: folder.path)
        }
        self.library = library
    }

    /// The HTML of a model.
    func render(_ template: String, _ model: Any) throws -> String {
        guard let html = library.render(model, withTemplate: template) else {
            throw Failure.noTemplate(template)
        }
        return html
    }
}
