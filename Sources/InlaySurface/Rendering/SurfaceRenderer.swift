package import Foundation
import Mustache

/// A renderer of view models as HTML, with the templates of the engine and of one view.
///
/// Text is escaped unless the model holds it as `SafeHTML`.
@_spi(Inlay) public struct SurfaceRenderer: Sendable {
    /// The reason why nothing was rendered. Both cases mean a damaged build, never invalid content.
    public enum Failure: Error, Hashable {
        /// A module's resources are missing.
        case noTemplates(folder: String)
        /// There is no template of this name.
        case noTemplate(String)
    }

    private let library: MustacheLibrary

    // Registered before the first template is parsed, because the parser looks up the name. Only once, because
    // Mustache's list of content types has no lock.
    private static let registration: Void = MustacheContentTypes.register(
        HTMLTextContentType(), named: HTMLTextContentType.name)

    init(folders: [URL]) throws {
        _ = Self.registration
        var library = MustacheLibrary()
        for folder in folders {
            let root = folder.appendingPathComponent("templates", isDirectory: true)
            let names = try Self.templateNames(in: root)
            guard !names.isEmpty else { throw Failure.noTemplates(folder: root.path) }
            for name in names {
                let file = root.appendingPathComponent(name + ".mustache")
                let source = try String(contentsOf: file, encoding: .utf8)
                // Every template names its content type, because otherwise a partial would use Mustache's default
                // escaping.
                try library.register(
                    "{{% CONTENT_TYPE:\(HTMLTextContentType.name)}}\n" + source, named: name)
            }
        }
        self.library = library
    }

    /// Returns the HTML of a model. The template's name is its path without extension, for example `cards/card`.
    public func render(_ template: String, _ model: some Encodable) throws -> String {
        guard let html = library.render(try TemplateModel.make(model), withTemplate: template) else {
            throw Failure.noTemplate(template)
        }
        return html
    }

    package static func templateNames(in root: URL) throws -> [String] {
        guard let paths = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".mustache") }
            .map { String($0.dropLast(".mustache".count)) }
    }
}
