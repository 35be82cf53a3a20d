/// The model of `sums.mustache`: a sum above a chart or a table.
package struct SumView {
    let sumLabel: String
    let sumValue: String
    let sumNote: String

    package init(sumLabel: String, sumValue: String, sumNote: String) {
        self.sumLabel = sumLabel
        self.sumValue = sumValue
        self.sumNote = sumNote
    }
}
