import Foundation
import InlayWire

/// Adds coordinates. The others need them, so they wait for it.
struct CoordinatesAugmenter: BehaviorAugmenter {
    let keeper: LocationKeeper
    let fields: BehaviorSettings.FieldNames

    var processesSynchronously: Bool { true }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async -> BehaviorEvent {
        // Half a pair of the app's own would name a place where nobody is.
        guard event[fields.latitude] == nil, event[fields.longitude] == nil,
            let fix = await keeper.fix()
        else { return event }
        var event = event
        event.set(fields.latitude, String(fix.coordinates.latitude))
        event.set(fields.longitude, String(fix.coordinates.longitude))
        return event
    }
}

/// Adds the address and the name of the place that the coordinates name.
struct PlaceAugmenter: BehaviorAugmenter {
    let keeper: LocationKeeper
    let fields: BehaviorSettings.FieldNames

    /// Nobody needs to wait for a place.
    var processesSynchronously: Bool { false }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async -> BehaviorEvent {
        guard event[fields.locationAddress] == nil || event[fields.locationName] == nil,
            let latitude = event[fields.latitude].flatMap({ Double($0) }),
            let longitude = event[fields.longitude].flatMap({ Double($0) }),
            let place = await keeper.place(at: Coordinates(latitude: latitude, longitude: longitude))
        else { return event }
        var event = event
        if let address = place.address { event.setIfMissing(fields.locationAddress, address) }
        if let name = place.name { event.setIfMissing(fields.locationName, name) }
        return event
    }
}
