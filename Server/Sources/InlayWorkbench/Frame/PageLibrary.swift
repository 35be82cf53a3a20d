package import Foundation
import Mustache
import NIOConcurrencyHelpers

/// The templates of pages, which are parsed once per process.
package struct PageLibrary: Sendable {
    /// An error in rendering a page. Both cases mean a damaged installation, never invalid content.
    enum Failure: Error, Hashable {
        /// The folder has no templates.
        case noTemplates(folder: String)
        /// There is no template of this name.
        case noTemplate(String)
    }

    private let library: MustacheLibrary

    /// The libraries that were parsed, by their folders.
    private static let loaded = NIOLockedValueBox<[[URL]: PageLibrary]>([:])

    /// Returns the templates in the folders of sections; throws ``Failure`` when a folder has none.
    package static func load(_ folders: [URL]) throws -> PageLibrary {
        try loaded.withLockedValue { loaded in
            if let library = loaded[folders] { return library }
            let library = try PageLibrary(folders)
            loaded[folders] = library
            return library
        }
    }

    private init(_ folders: [URL]) throws {
        // The content type is registered before the first template is parsed: the parser looks up its name.
        MustacheContentTypes.register(PageText(), named: PageText.name)
        var library = MustacheLibrary()
        for folder in folders.map({ $0.appendingPathComponent("templates", isDirectory: true) }) {
            let found =
                FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let names = found.filter { $0.hasSuffix(".mustache") }
            guard !names.isEmpty else { throw Failure.noTemplates(folder: folder.path) }
            for name in names {
                let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                // Every template names the content type, because a partial starts again with Mustache's default.
                try library.register(
                    "{{% CONTENT_TYPE:\(PageText.name)}}" + source,
                    named: String(name.dropLast(".mustache".count)))
            }
        }
        self.library = library
    }

    /// Renders a model; throws ``Failure`` when there is no such template.
    package func render(_ template: String, _ model: Any) throws -> String {
        guard let html = library.render(model, withTemplate: template) else {
            throw Failure.noTemplate(template)
        }
        return html
    }
}

extension Bundle {
    /// The folder that a target's `.copy("Resources")` created: on some systems it is in the bundle's resource folder,
    /// on others it is that folder itself.
    package var copiedResources: URL {
        let root = resourceURL ?? bundleURL
        let copied = root.appendingPathComponent("Resources", isDirectory: true)
        return FileManager.default.fileExists(atPath: copied.path) ? copied : root
    }
}
