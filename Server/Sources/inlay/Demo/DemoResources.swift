import Foundation

/// The demo's files: Harbor's cards and pictures, and the page around the phone.
enum DemoResources {
    /// A folder of resources by name.
    static func folder(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Resources").appendingPathComponent(name)
    }

    /// A file's bytes.
    static func data(_ folder: String, _ file: String) throws -> Data {
        try Data(contentsOf: self.folder(folder).appendingPathComponent(file))
    }
}
