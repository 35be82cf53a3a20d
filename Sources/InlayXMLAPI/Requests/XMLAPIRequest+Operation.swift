extension XMLAPIRequest {
    /// The operation of an XMLAPI request, by the name of its element. The set grows; any other name works too.
    public struct Operation: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        /// An operation by the name of its element.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether the operation needs a contact list, so that a missing `LIST_ID` can be filled in.
        public var takesList: Bool { Self.ofLists.contains(self) }

        private static let ofLists: Set<Self> = [
            .addRecipient, .doubleOptInRecipient, .updateRecipient, .optOutRecipient, .selectRecipientData,
            .exportList, .addListColumn, .getListMetaData, .listRecipientMailings, .removeRecipient,
            .setColumnValue,
        ]
    }
}

extension XMLAPIRequest.Operation {
    /// Sends a mailing to one contact.
    public static let sendMailing = Self(rawValue: "SendMailing")
    /// Forwards a mailing to others.
    public static let forwardToFriend = Self(rawValue: "ForwardToFriend")
    /// Returns the mailings of a contact in a period.
    public static let getContactMailingDetails = Self(rawValue: "GetContactMailingDetails")
    /// Removes the contacts of one list from another.
    public static let purgeData = Self(rawValue: "PurgeData")
    /// Adds a contact to a list.
    public static let addRecipient = Self(rawValue: "AddRecipient")
    /// Confirms a contact's wish to be on a list.
    public static let doubleOptInRecipient = Self(rawValue: "DoubleOptInRecipient")
    /// Changes the columns of a contact.
    public static let updateRecipient = Self(rawValue: "UpdateRecipient")
    /// Withdraws a contact's consent.
    public static let optOutRecipient = Self(rawValue: "OptOutRecipient")
    /// Reads a contact.
    public static let selectRecipientData = Self(rawValue: "SelectRecipientData")
    /// Opens a session with name and password; not necessary with a token.
    public static let login = Self(rawValue: "Login")
    /// Closes such a session.
    public static let logout = Self(rawValue: "Logout")
    /// Starts an import of contacts.
    public static let importList = Self(rawValue: "ImportList")
    /// Starts an export of contacts.
    public static let exportList = Self(rawValue: "ExportList")
    /// Adds a column to a list.
    public static let addListColumn = Self(rawValue: "AddListColumn")
    /// Describes a list and its columns.
    public static let getListMetaData = Self(rawValue: "GetListMetaData")
    /// Returns the mailings that a contact received.
    public static let listRecipientMailings = Self(rawValue: "ListRecipientMailings")
    /// Removes a contact from a list.
    public static let removeRecipient = Self(rawValue: "RemoveRecipient")
    /// Returns the lists of the account.
    public static let getLists = Self(rawValue: "GetLists")
    /// Creates a relational table.
    public static let createTable = Self(rawValue: "CreateTable")
    /// Joins a relational table with a list.
    public static let joinTable = Self(rawValue: "JoinTable")
    /// Inserts or updates rows of a relational table.
    public static let insertUpdateRelationalTable = Self(rawValue: "InsertUpdateRelationalTable")
    /// Removes rows from a relational table.
    public static let deleteRelationalTableData = Self(rawValue: "DeleteRelationalTableData")
    /// Starts an import into a relational table.
    public static let importTable = Self(rawValue: "ImportTable")
    /// Starts an export of a relational table.
    public static let exportTable = Self(rawValue: "ExportTable")
    /// Removes all rows of a relational table.
    public static let purgeTable = Self(rawValue: "PurgeTable")
    /// Removes a relational table.
    public static let deleteTable = Self(rawValue: "DeleteTable")
    /// Creates a contact list within a database.
    public static let createContactList = Self(rawValue: "CreateContactList")
    /// Adds a contact to a contact list within a database.
    public static let addContactToContactList = Self(rawValue: "AddContactToContactList")
    /// Adds a contact to a program.
    public static let addContactToProgram = Self(rawValue: "AddContactToProgram")
    /// Creates a query on a list.
    public static let createQuery = Self(rawValue: "CreateQuery")
    /// Starts the calculation of a query.
    public static let calculateQuery = Self(rawValue: "CalculateQuery")
    /// Sets a column of all contacts of a list.
    public static let setColumnValue = Self(rawValue: "SetColumnValue")
    /// Starts an export of tracking metrics.
    public static let trackingMetricExport = Self(rawValue: "TrackingMetricExport")
    /// Starts an export of the events of contacts.
    public static let rawRecipientDataExport = Self(rawValue: "RawRecipientDataExport")
    /// Starts an export of web tracking.
    public static let webTrackingDataExport = Self(rawValue: "WebTrackingDataExport")
    /// Returns the reports of a mailing in a period.
    public static let getReportIdByDate = Self(rawValue: "GetReportIdByDate")
    /// Returns the mailings that an organisation sent.
    public static let getSentMailingsForOrg = Self(rawValue: "GetSentMailingsForOrg")
    /// Returns the mailings that a user sent.
    public static let getSentMailingsForUser = Self(rawValue: "GetSentMailingsForUser")
    /// Returns the mailings that were sent to a list.
    public static let getSentMailingsForList = Self(rawValue: "GetSentMailingsForList")
    /// Returns the aggregate tracking of a mailing.
    public static let getAggregateTrackingForMailing = Self(rawValue: "GetAggregateTrackingForMailing")
    /// Returns the aggregate tracking of an organisation.
    public static let getAggregateTrackingForOrg = Self(rawValue: "GetAggregateTrackingForOrg")
    /// Returns the aggregate tracking of a user.
    public static let getAggregateTrackingForUser = Self(rawValue: "GetAggregateTrackingForUser")
    /// Reads the progress of a started job.
    public static let getJobStatus = Self(rawValue: "GetJobStatus")
    /// Removes a job.
    public static let deleteJob = Self(rawValue: "DeleteJob")
    /// Returns the path of a folder.
    public static let getFolderPath = Self(rawValue: "GetFolderPath")
    /// Schedules a mailing.
    public static let scheduleMailing = Self(rawValue: "ScheduleMailing")
    /// Returns a mailing as one contact sees it.
    public static let previewMailing = Self(rawValue: "PreviewMailing")
    /// Describes a group of messages.
    public static let getMessageGroupDetails = Self(rawValue: "GetMessageGroupDetails")
    /// Adds rules of dynamic content.
    public static let addDCRuleset = Self(rawValue: "AddDCRuleset")
    /// Imports rules of dynamic content.
    public static let importDCRuleset = Self(rawValue: "ImportDCRuleset")
    /// Exports rules of dynamic content.
    public static let exportDCRuleset = Self(rawValue: "ExportDCRuleset")
    /// Returns the rules of a mailing's dynamic content.
    public static let listDCRulesetsForMailing = Self(rawValue: "ListDCRulesetsForMailing")
    /// Reads rules of dynamic content.
    public static let getDCRuleset = Self(rawValue: "GetDCRuleset")
    /// Replaces rules of dynamic content.
    public static let replaceDCRuleset = Self(rawValue: "ReplaceDCRuleset")
    /// Checks rules of dynamic content.
    public static let validateDCRuleset = Self(rawValue: "ValidateDCRuleset")
    /// Removes rules of dynamic content.
    public static let deleteDCRuleset = Self(rawValue: "DeleteDCRuleset")
    /// Returns the mailing templates.
    public static let getMailingTemplates = Self(rawValue: "GetMailingTemplates")
    /// Exports a mailing template.
    public static let exportMailingTemplate = Self(rawValue: "ExportMailingTemplate")

    /// The operations that are known by name, in the order of the XMLAPI guide.
    public static let known: [Self] = [
        .sendMailing, .forwardToFriend, .getContactMailingDetails, .purgeData, .addRecipient,
        .doubleOptInRecipient, .updateRecipient, .optOutRecipient, .selectRecipientData, .login, .logout,
        .importList, .exportList, .addListColumn, .getListMetaData, .listRecipientMailings, .removeRecipient,
        .getLists, .createTable, .joinTable, .insertUpdateRelationalTable, .deleteRelationalTableData,
        .importTable, .exportTable, .purgeTable, .deleteTable, .createContactList, .addContactToContactList,
        .addContactToProgram, .createQuery, .calculateQuery, .setColumnValue, .trackingMetricExport,
        .rawRecipientDataExport, .webTrackingDataExport, .getReportIdByDate, .getSentMailingsForOrg,
        .getSentMailingsForUser, .getSentMailingsForList, .getAggregateTrackingForMailing,
        .getAggregateTrackingForOrg, .getAggregateTrackingForUser, .getJobStatus, .deleteJob, .getFolderPath,
        .scheduleMailing, .previewMailing, .getMessageGroupDetails, .addDCRuleset, .importDCRuleset,
        .exportDCRuleset, .listDCRulesetsForMailing, .getDCRuleset, .replaceDCRuleset, .validateDCRuleset,
        .deleteDCRuleset, .getMailingTemplates, .exportMailingTemplate,
    ]
}
