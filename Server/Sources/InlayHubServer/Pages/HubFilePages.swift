import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of the files of a source: pictures, videos, style sheets.
struct HubFilePages: Sendable {
    let services: ServerServices
    let hub: HubFeature

    private struct Row {
        let csrf: String
        let fileName: String
        let filePath: String
        /// `nil` for a page template, which no page can load.
        let fileAddress: String?
        let isPicture: Bool
        let size: String
        let changed: Moment
        let deletePath: String
        let canEdit: Bool
    }

    private struct Model {
        let head: HubHead
        let csrf: String
        let rows: [Row]
        let hasRows: Bool
        let canEdit: Bool
        let uploadPath: String
        let kinds: String
    }

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubFilePages(services: services, hub: hub)
        let root = "e/:environment/hub/:source"
        return [
            .page("\(root)/files") { try await pages.list($0) },
            .upload("\(root)/files", for: .editor) { try await pages.upload($0) },
            .page("\(root)/files/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/files/delete", for: .editor) { try await pages.delete($0) },
            .page("\(root)/assets/**") { try await pages.show($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let path = request.address("hub", source.id.rawValue)
        let assets = try await hub.content.assets(request.environmentID, source.id)
        let rows = assets.map { asset in
            Row(
                csrf: request.csrfToken,
                fileName: asset.path.replacing("assets/", with: "", maxReplacements: 1),
                filePath: asset.path,
                fileAddress: HubPath.isAsset(asset.path) ? "\(path)/\(asset.path)" : nil,
                isPicture: HubMedia(path: asset.path)?.isPicture ?? false, size: Self.size(asset.blob.size),
                changed: request.moment(asset.updatedAt),
                deletePath: path + "/files/delete?path=" + FormFields.escaped(asset.path),
                canEdit: request.may(.editor))
        }
        let kinds = HubMedia.allCases.filter { $0 != .html }.map { ".\($0.rawValue)" }.joined(separator: ",")
        let model = Model(
            head: HubHead(source, tab: "files", for: request), csrf: request.csrfToken, rows: rows,
            hasRows: !rows.isEmpty, canEdit: request.may(.editor), uploadPath: path + "/files", kinds: kinds)
        return .page("\(source.name): files", "hub/files", model, scripts: ["hub.js"])
    }

    /// Stores the body under the name in the query, and returns its path to the script that sent it.
    private func upload(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let path = "assets/" + request.query.trimmed("name")
        guard HubPath.isAsset(path), let media = HubMedia(path: path) else {
            throw Problem.invalidValue(
                "name", "Lower-case letters, digits, '-', '_' and '.', of a kind of file that hubs hold.")
        }
        guard let bytes = request.upload else { throw Problem.notFound }
        let blob = try await hub.blobs.put(
            request.environmentID, bytes, expecting: request.query.trimmed("hash"), limit: media.maximumBytes)
        if media.isPicture,
            let fault = try await hub.blobs.pictureFault(request.environmentID, blob, media)
        {
            throw Problem.invalidValue("name", fault)
        }
        try await services.audit.record("uploaded file", path, by: request, detail: source.id.rawValue) {
            try await hub.content.setAsset(request.environmentID, source.id, path: path, blob)
        }
        return .data(Data(path.utf8), mediaType: "text/plain; charset=utf-8")
    }

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let path = request.query.trimmed("path")
        let assets = try await hub.content.assets(request.environmentID, source.id)
        guard assets.contains(where: { $0.path == path }) else { throw Problem.notFound("file") }
        return .confirm(
            "Delete", path.replacing("assets/", with: "", maxReplacements: 1),
            "Pages that show it have a gap there from the next publish on. It cannot be restored; it can be sent "
                + "again.",
            at: request.address("hub", source.id.rawValue, "files", "delete"),
            back: request.address("hub", source.id.rawValue, "files"),
            with: [HiddenField(hiddenName: "path", hiddenValue: path)], for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let path = request.form.trimmed("path")
        try await services.audit.record("deleted file", path, by: request, detail: source.id.rawValue) {
            try await hub.content.deleteAsset(request.environmentID, source.id, path: path)
        }
        return .redirect(
            to: request.address("hub", source.id.rawValue, "files"),
            Flash("Deleted \(path). Readers keep it until the next publish."))
    }

    /// Returns a file for the pages of the preview, with a policy under which nothing in it can run.
    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        guard let start = request.path.range(of: "/hub/\(source.id)/assets/") else { throw Problem.notFound }
        let path = "assets/" + request.path[start.upperBound...]
        guard let media = HubMedia(path: path) else { throw Problem.notFound("file") }
        let type =
            switch media {
            case .svg: "image/svg+xml"
            case .css: "text/css; charset=utf-8"
            default: media.contentType
            }
        let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        let environmentID = try request.environmentID
        let asset = try await hub.content.assets(environmentID, source.id).first { $0.path == path }
        guard let blob = asset?.blob else {
            guard path == HubPageTemplate.styleSheet else { throw Problem.notFound("file") }
            return .data(try HubPageTemplate.styles(), mediaType: type, policy: policy)
        }
        let body = HubFileResponse.body(0..<blob.size) { [blobs = hub.blobs] range in
            blobs.read(environmentID, blob, range)
        }
        return .stream(body, mediaType: type, policy: policy)
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\((bytes + 500) / 1_000) kB"
        default: String(format: "%.1f MB", Double(bytes) / 1_000_000)
        }
    }
}
