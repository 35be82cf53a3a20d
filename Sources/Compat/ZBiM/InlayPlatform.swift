// An app written for the SDK of ZBiM needs only one import.
@_exported import InlayPlatform
