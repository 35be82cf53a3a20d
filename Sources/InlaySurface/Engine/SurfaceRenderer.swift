import Foundation
import Mustache

/// Turns view models into HTML with the templates of this module.
///
/// Text is escaped unless the model holds it as `SafeHTML`.
public struct SurfaceRenderer: Sendable {
    /// Why nothing could be rendered. Both cases mean a damaged build, never bad content.
    public enum Failure: Error, Hashable {
        /// The module's resources are not beside the program.
        case noTemplates(folder: String)
        /// No template of this name.
        case noTemplate(String)
    }

    private let library: MustacheLibrary

    /// The renderer with all templates parsed; they are read from disk once in the life of the process.
    public static func load() throws -> SurfaceRenderer { try loaded.get() }

    private static let loaded = Result { try SurfaceRenderer(folder: SurfaceAssets.folder) }

    init(folder: URL) throws {
        // Registered before the first template is parsed: the parser looks the name up.
        MustacheContentTypes.register(HTMLTextContentType(), named: HTMLTextContentType.name)
        let root = folder.appendingPathComponent("templates", isDirectory: true)
        let names = try Self.templateNames(in: root)
        guard !names.isEmpty else { throw Failure.noTemplates(folder: root.path) }
        var library = MustacheLibrary()
        for name in names {
            let file = root.appendingPathComponent(name + ".mustache")
            let source = try String(contentsOf: file, encoding: .utf8)
            // Every template says how to escape, because a partial starts again with Mustache's own way.
            try library.register("{{% CONTENT_TYPE:\(HTMLTextContentType.name)}}\n" + source, named: name)
        }
        self.library = library
    }

    /// The HTML of a model; the template's name is its path without extension, for example `cards/card`.
    public func render(_ template: String, _ model: some Encodable) throws -> String {
        guard let html = library.render(try TemplateModel.make(model), withTemplate: template) else {
            throw Failure.noTemplate(template)
        }
        return html
    }

    static func templateNames(in root: URL) throws -> [String] {
        guard let paths = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".mustache") }
            .map { String($0.dropLast(".mustache".count)) }
    }
}
