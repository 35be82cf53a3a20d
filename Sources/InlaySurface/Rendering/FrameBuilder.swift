/// A builder of frames from the parts of a view model, each of which has its own template.
package struct FrameBuilder {
    private let renderer: SurfaceRenderer
    private let folder: String
    private var regions: [SurfaceFrame.Region] = []

    /// Creates a builder without regions.
    ///
    /// - Parameter folder: The folder of the view's templates, for example `cards`.
    package init(_ renderer: SurfaceRenderer, templates folder: String) {
        self.renderer = renderer
        self.folder = folder
    }

    /// Adds a region for a model; does nothing when the model is `nil`.
    package mutating func add(
        _ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String
    ) throws {
        guard let model else { return }
        let html = try renderer.render("\(folder)/\(template)", model)
        regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
    }

    /// Returns the frame of the added regions.
    package func frame(_ root: SurfaceFrame.Root) -> SurfaceFrame {
        SurfaceFrame(root: root, regions: regions)
    }
}
