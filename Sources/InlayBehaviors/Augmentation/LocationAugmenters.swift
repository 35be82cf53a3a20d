import Foundation
@_spi(Inlay) import InlayWire

/// A plug-in that adds the device's coordinates. It is synchronous, because later plug-ins may need the coordinates.
struct CoordinatesAugmenter: BehaviorAugmenter {
    let locations: LocationCache
    let fields: BehaviorSettings.FieldNames

    var processesSynchronously: Bool { true }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async -> BehaviorEvent {
        // If the app set only one coordinate, adding the other would mix two locations.
        guard event[fields.latitude] == nil, event[fields.longitude] == nil,
            let fix = await locations.fix()
        else { return event }
        var event = event
        event.set(fields.latitude, String(fix.coordinates.latitude))
        event.set(fields.longitude, String(fix.coordinates.longitude))
        return event
    }
}

/// A plug-in that adds the address and the name of the place at the event's coordinates.
struct PlaceAugmenter: BehaviorAugmenter {
    let locations: LocationCache
    let fields: BehaviorSettings.FieldNames

    /// `false`, because no other plug-in needs the place.
    var processesSynchronously: Bool { false }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async -> BehaviorEvent {
        guard event[fields.locationAddress] == nil || event[fields.locationName] == nil,
            let latitude = event[fields.latitude].flatMap({ Double($0) }),
            let longitude = event[fields.longitude].flatMap({ Double($0) }),
            let place = await locations.place(at: Coordinates(latitude: latitude, longitude: longitude))
        else { return event }
        var event = event
        if let address = place.address { event.setIfMissing(fields.locationAddress, address) }
        if let name = place.name { event.setIfMissing(fields.locationName, name) }
        return event
    }
}
