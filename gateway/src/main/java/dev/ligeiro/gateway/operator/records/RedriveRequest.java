package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to redrive dead letters: {@code {topic, ids | reason | all, after?, dry_run?}}.
 *
 * @param dryRun whether nothing is sent; the default, so that sending needs a clear word
 */
record RedriveRequest(DeadLetterTopic topic, Selection selection, boolean dryRun) {

    static final int IDS_MAX = 100;

    private static final Pattern REASON = Pattern.compile("[a-z0-9_]{1,50}");

    static RedriveRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        DeadLetterTopic topic = fields.requiredParsed("topic", DeadLetterTopic::parse);
        Selection selection = selection(fields);
        boolean dryRun = fields.optionalBoolean("dry_run", true);
        fields.orThrow();
        if (topic == null || selection == null) {
            throw new IllegalStateException("topic or selection is missing without an error");
        }
        return new RedriveRequest(topic, selection, dryRun);
    }

    /** Exactly one of {@code ids}, {@code reason} and {@code all}; null with an error otherwise. */
    private static @Nullable Selection selection(Fields fields) {
        List<String> given = List.of("ids", "reason", "all").stream()
                .filter(name -> fields.node(name) != null)
                .toList();
        if (given.isEmpty()) {
            return fields.error(new FieldError("ids", "required", "expected one of ids, reason and all"));
        }
        if (given.size() > 1) {
            given.forEach(name -> fields.reject(FieldError.invalid(name, "expected only one of ids, reason and all")));
            return null;
        }
        DeadLetterId after = fields.optionalParsed("after", DeadLetterId::parse);
        if (given.contains("ids")) {
            if (after != null) {
                fields.reject(FieldError.invalid("after", "expected only with reason or all"));
            }
            return ids(fields);
        }
        if (given.contains("reason")) {
            String reason = fields.requiredParsed("reason", RedriveRequest::reason);
            return reason == null ? null : new Selection.Range(reason, after);
        }
        if (!fields.optionalBoolean("all", true)) {
            fields.reject(FieldError.invalid("all", "expected true"));
        }
        return new Selection.Range(null, after);
    }

    private static @Nullable Selection ids(Fields fields) {
        List<String> texts = fields.optionalStrings("ids");
        if (texts == null) {
            return null;
        }
        if (texts.isEmpty() || texts.size() > IDS_MAX) {
            return fields.error(FieldError.invalid("ids", "expected 1 to " + IDS_MAX + " ids"));
        }
        try {
            return new Selection.Ids(List.copyOf(
                    new TreeSet<>(texts.stream().map(DeadLetterId::parse).toList())));
        } catch (IllegalArgumentException malformed) {
            return fields.error(FieldError.invalid("ids", String.valueOf(malformed.getMessage())));
        }
    }

    private static String reason(String text) {
        if (!REASON.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "expected a reason such as invalid_message: at most 50 of a-z, 0-9 and _");
        }
        return text;
    }
}
