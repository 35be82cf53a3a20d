@_spi(Inlay) import InlayWire

extension SettingsTable {
    /// Every documented setting with its default.
    package static let defaults = SettingsTable([
        "LocalEventStore": ["expireLocalEventsAfterNumDays": 30],
        "General": [
            "databaseListId": "{YOUR_LIST_ID}", "ubfEventCacheSize": 3,
            "defaultCurrentCampaignExpiration": "1 day",
        ],
        "ParamFieldNames": [
            "ParamCampaignValidFor": "CampaignValidFor", "ParamCampaignExpiresAt": "CampaignExpiresAt",
            "ParamCurrentCampaign": "CurrentCampaign", "ParamCallToAction": "CallToAction",
        ],
        "Session": ["sessionLifecycleExpiration": "30 minutes"],
        "Networking": ["maxNumRetries": 3],
        "UBFFieldNames": [
            "UBFSessionDurationFieldName": "Session Duration", "UBFTagsFieldName": "Tags",
            "UBFDisplayedMessageFieldName": "Displayed Message", "UBFCallToActionFieldName": "Call To Action",
            "UBFEventNameFieldName": "Event Name", "UBFGoalNameFieldName": "Goal Name",
            "UBFCurrentCampaignFieldName": "Campaign Name", "UBFLastCampaignFieldName": "Last Campaign",
            "UBFLocationAddressFieldName": "Location Address", "UBFLocationNameFieldName": "Location Name",
            "UBFLatitudeFieldName": "Latitude", "UBFLongitudeFieldName": "Longitude",
        ],
        "LocationServices": [
            "lastKnownLocationDateFormat": "yyyy'-'MM'-'dd",
            "lastKnownLocationTimestampColumn": "Last Location Address Time",
            "lastKnownLocationColumn": "Last Location Address", "locationDistanceFilter": 10,
            "locationPrecisionLevel": "kCLLocationAccuracyBest", "locationCacheLifespan": "1 hr",
            "coordinatesPlacemarkTimeout": "15 sec", "coordinatesAcquisitionTimeout": "15 sec",
            "enabled": true,
        ],
        "Augmentation": ["augmentationTimeout": "15 sec"],
    ])
}
