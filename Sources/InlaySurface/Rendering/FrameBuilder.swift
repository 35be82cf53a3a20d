/// Makes a frame of the parts of a view model, each with a template of its own.
package struct FrameBuilder {
    private let renderer: SurfaceRenderer
    private let folder: String
    private var regions: [SurfaceFrame.Region] = []

    /// A frame without regions.
    ///
    /// - Parameter folder: the folder of the view's templates, for example `cards`.
    package init(_ renderer: SurfaceRenderer, templates folder: String) {
        self.renderer = renderer
        self.folder = folder
    }

    /// Adds a region for a model; nothing for `nil`.
    package mutating func add(
        _ key: String, _ slot: SurfaceFrame.Slot, _ model: (some Encodable)?, _ template: String
    ) throws {
        guard let model else { return }
        let html = try renderer.render("\(folder)/\(template)", model)
        regions.append(SurfaceFrame.Region(key: key, slot: slot, html: html))
    }

    /// The frame of what was added.
    package func frame(_ root: SurfaceFrame.Root) -> SurfaceFrame {
        SurfaceFrame(root: root, regions: regions)
    }
}
