@_spi(Inlay) public import InlayWire

/// Something that happened in the hub. The state already has the new value when an event comes.
public enum HubEvent: Sendable {
    /// `isReady` changed.
    case readyChanged(Bool)
    /// `isDownloading` changed.
    case downloadingChanged(Bool)
    /// `isDisplaying` changed.
    case displayingChanged(Bool)
    /// `isDisabled` changed.
    case disabledChanged(Bool)
    /// A download progressed by at least one percent; from 0 to 100, never decreasing within one download.
    case progress(Double)
    /// The reader came to another piece of content.
    case contentChanged(HubContent.Item)
    /// Another version is shown from the next presentation on.
    case activated(version: Int64)
    /// `freshness` changed.
    case freshnessChanged(HubState.Freshness)
    /// An update failed; the content before it is still there.
    case updateFailed(HubError)
    /// A page of a nested hub asked its container to close it.
    case closeRequested(HubPresentation)
    /// A link of the app's own scheme was followed; the address is unchanged.
    case appLink(String)
    /// The reader agreed to leave for this address: open it in the browser.
    case openExternal(String)
}

extension HubContent {
    /// An item of the content that the reader opened.
    public struct Item: Hashable, Sendable {
        /// The kind of the item, and its address within the source.
        public var reference: HubReference
        /// The title; plain text.
        public var title: String

        /// Creates an item.
        public init(reference: HubReference, title: String) {
            self.reference = reference
            self.title = title
        }

        /// The kind of content.
        public var kind: HubReference.Kind { reference.kind }
        /// The item's address; presenting it shows the same item again.
        public var uri: String { reference.uri }
    }
}
