package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.operator.console.Block.Cell;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The values of an object of the admin API, as cells. */
record Values(OperatorText text, JsonNode json) {

    private static final Map<String, String> STYLES = Map.ofEntries(
            Map.entry("paid", "good"),
            Map.entry("active", "good"),
            Map.entry("enabled", "good"),
            Map.entry("delivered", "good"),
            Map.entry("made", "good"),
            Map.entry("applied", "good"),
            Map.entry("denied", "bad"),
            Map.entry("failed", "bad"),
            Map.entry("revoked", "bad"),
            Map.entry("disabled", "bad"),
            Map.entry("exhausted", "bad"),
            Map.entry("open", "bad"),
            Map.entry("refused_by_rail", "bad"),
            Map.entry("in_process", "wait"),
            Map.entry("in_analysis", "wait"),
            Map.entry("pending", "wait"),
            Map.entry("proposed", "wait"),
            Map.entry("requested", "wait"),
            Map.entry("scheduled", "wait"));

    JsonNode at(String member) {
        return json.path(member);
    }

    String raw(String member) {
        return at(member).asString("");
    }

    boolean has(String member) {
        return OperatorText.isGiven(at(member));
    }

    Cell plain(String member) {
        return new Cell(text.text(at(member)), null, "");
    }

    /** A short word or a code that is not to be broken. */
    Cell whole(String member) {
        return new Cell(text.text(at(member)), null, "nowrap");
    }

    /** A number that stands alone, not in a column. */
    Cell count(String member) {
        return new Cell(text.number(at(member)), null, "");
    }

    Cell code(String member) {
        return new Cell(text.text(at(member)), null, "code");
    }

    Cell time(String member) {
        return new Cell(text.time(at(member)), null, "nowrap");
    }

    Cell amount(String member) {
        return new Cell(text.amount(at(member)), null, "number");
    }

    Cell number(String member) {
        return new Cell(text.number(at(member)), null, "number");
    }

    Cell age(String member) {
        return new Cell(text.age(at(member)), null, "nowrap");
    }

    /** A number of seconds among other numbers of a row. */
    Cell span(String member) {
        return new Cell(text.age(at(member)), null, "number");
    }

    Cell ratio(String member) {
        return new Cell(text.ratio(at(member)), null, "number");
    }

    Cell yesNo(String member) {
        return new Cell(text.yesNo(at(member)), null, "");
    }

    /** @param kind of codes, as the texts know them */
    Cell badge(String kind, String member) {
        return has(member) ? badgeOf(text, kind, raw(member)) : new Cell(OperatorText.NONE, null, "");
    }

    static Cell badgeOf(OperatorText text, String kind, String code) {
        return new Cell(text.code(kind, code), null, "badge " + styleOf(code));
    }

    static String styleOf(String code) {
        return STYLES.getOrDefault(code, "quiet");
    }

    /** A code of the API in words. */
    Cell word(String kind, String member) {
        return new Cell(has(member) ? text.code(kind, raw(member)) : OperatorText.NONE, null, "");
    }

    /** The transaction with this id. */
    Cell transaction(String member) {
        return has(member)
                ? new Cell(raw(member), OperatorConsole.HOME + "/transactions/" + raw(member), "code")
                : new Cell(OperatorText.NONE, null, "");
    }

    /** The merchant that an item of a list names by the members {@code merchant_id}, {@code merchant_number} and {@code merchant_name}. */
    Cell merchant() {
        if (!has("merchant_number")) {
            return new Cell(OperatorText.NONE, null, "");
        }
        String number = "#" + at("merchant_number").asLong();
        return has("merchant_id")
                ? new Cell(
                        raw("merchant_name") + " " + number,
                        OperatorConsole.HOME + "/merchants/" + raw("merchant_id"),
                        "")
                : new Cell(number, null, "");
    }

    Cell mode() {
        return word("mode", "mode");
    }
}
