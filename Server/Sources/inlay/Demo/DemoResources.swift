import Foundation
import InlayDevicesServer

/// The demo's files: Harbor's cards and pictures, and the page around the phone.
enum DemoResources {
    /// Returns the URL of a resource folder.
    static func folder(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Resources").appendingPathComponent(name)
    }

    /// Returns the contents of a file.
    static func data(_ folder: String, _ file: String) throws -> Data {
        try Data(contentsOf: self.folder(folder).appendingPathComponent(file))
    }
}
