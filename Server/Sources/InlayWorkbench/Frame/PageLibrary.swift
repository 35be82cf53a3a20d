package import Foundation
import Mustache
import NIOConcurrencyHelpers

/// Templates of pages, parsed once in the life of the process.
package struct PageLibrary: Sendable {
    /// The reason why a page could not be made; both mean a damaged installation, never bad content.
    enum Failure: Error, Hashable {
        /// No templates beside the program.
        case noTemplates(folder: String)
        /// No template of this name.
        case noTemplate(String)
    }

    private let library: MustacheLibrary

    /// The libraries parsed so far, by their folders.
    private static let loaded = NIOLockedValueBox<[[URL]: PageLibrary]>([:])

    /// The templates in the folders of sections, or why there are none.
    package static func load(_ folders: [URL]) throws -> PageLibrary {
        try loaded.withLockedValue { loaded in
            if let library = loaded[folders] { return library }
            let library = try PageLibrary(folders)
            loaded[folders] = library
            return library
        }
    }

    private init(_ folders: [URL]) throws {
        // Registered before the first template is parsed: the parser looks the name up.
        MustacheContentTypes.register(PageText(), named: PageText.name)
        var library = MustacheLibrary()
        for folder in folders.map({ $0.appendingPathComponent("templates", isDirectory: true) }) {
            let found =
                FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let names = found.filter { $0.hasSuffix(".mustache") }
            guard !names.isEmpty else { throw Failure.noTemplates(folder: folder.path) }
            for name in names {
                let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                // Every template says how to escape, because a partial starts again with Mustache's own way.
                try library.register(
                    "{{% CONTENT_TYPE:\(PageText.name)}}" + source,
                    named: String(name.dropLast(".mustache".count)))
            }
        }
        self.library = library
    }

    /// The HTML of a model.
    package func render(_ template: String, _ model: Any) throws -> String {
        guard let html = library.render(model, withTemplate: template) else {
            throw Failure.noTemplate(template)
        }
        return html
    }
}

extension Bundle {
    /// The folder that a target's `.copy("Resources")` made: on some systems within the bundle's folder for resources, on
    /// others that folder itself.
    package var copiedResources: URL {
        let root = resourceURL ?? bundleURL
        let copied = root.appendingPathComponent("Resources", isDirectory: true)
        return FileManager.default.fileExists(atPath: copied.path) ? copied : root
    }
}
