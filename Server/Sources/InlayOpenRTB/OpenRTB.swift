/// OpenRTB 2.6, the protocol between the exchange and its bidders.
///
/// Bid requests are built from an ad request of the Yabbi SDK and its unit (``OpenRTB/Supply``); responses are read
/// and checked (``OpenRTB/ResponseCheck``). This module does no I/O.
package enum OpenRTB {
    /// The value of the header field `x-openrtb-version`.
    package static let version = "2.6"
    /// The maximum size of a bid request.
    package static let maximumRequestBytes = 256 << 10
    /// The maximum size of a bidder's response, before and after decompression.
    package static let maximumResponseBytes = 512 << 10
    /// The maximum size of a bid's markup.
    package static let maximumMarkupBytes = 256 << 10
    /// The maximum number of bids in a response; further ones are ignored.
    package static let maximumResponseBids = 100
    /// The maximum size of a bidder's id, seat or currency that is stored or sent on.
    package static let maximumNameBytes = 256
    /// The maximum size of a URL in a bid.
    package static let maximumAddressBytes = 4 << 10
}
