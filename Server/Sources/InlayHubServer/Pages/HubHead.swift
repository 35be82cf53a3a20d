import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The head of each page of one content source: its name, state, tabs, and the button to publish.
struct HubHead {
    struct Tab {
        let label: String
        let path: String
        let isCurrent: Bool
    }

    let listPath: String
    let sourceName: String
    let sourceID: String
    let stateText: String
    let stateStyle: String
    let publishedText: String?
    let canEdit: Bool
    let offersPublishing: Bool
    let publishPath: String
    let tabs: [Tab]

    init(_ source: HubSource, tab: String, for request: WorkbenchRequest) {
        let path = request.address("hub", source.id.rawValue)
        listPath = request.address("hub")
        (sourceName, sourceID) = (source.name, source.id.rawValue)
        if source.policy.isDisabled {
            (stateText, stateStyle) = ("Disabled", "danger")
        } else if source.version == 0 {
            (stateText, stateStyle) = ("Not published yet", "")
        } else {
            (stateText, stateStyle) = ("Version \(source.version)", "good")
        }
        publishedText = source.publishedAt.map { "Published \(request.moment($0).words)" }
        canEdit = request.may(.editor)
        offersPublishing = tab != "publish"
        publishPath = path + "/publish"
        let tabs = [
            ("Content", ""), ("Files", "files"), ("Announcements", "announcements"), ("Versions", "versions"),
            ("Policy", "policy"), ("Keys", "keys"), ("Settings", "settings"),
        ]
        self.tabs = tabs.map { label, part in
            Tab(label: label, path: part.isEmpty ? path : "\(path)/\(part)", isCurrent: part == tab)
        }
    }
}

extension HubFeature {
    /// Returns the content source that the path names. Throws `not-found`.
    func source(_ request: WorkbenchRequest) async throws -> HubSource {
        let id = HubSourceID(try request.parameter("source"))
        guard let source = try await content.source(request.environmentID, id) else {
            throw Problem.notFound("content source")
        }
        return source
    }
}
