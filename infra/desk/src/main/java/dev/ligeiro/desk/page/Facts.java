package dev.ligeiro.desk.page;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * What a record of the API says about something, in the reader's language: each member that has a text {@code fact.<name>}. Forms show it about
 * their subject, since nobody can decide by an id.
 */
final class Facts {

    private Facts() {}

    /** Values by their names, both as the page shows them. */
    static Map<String, String> of(@Nullable Object found, Frame frame) {
        Map<String, String> facts = new LinkedHashMap<>();
        add(found, "", frame, facts);
        return facts;
    }

    private static void add(@Nullable Object found, String prefix, Frame frame, Map<String, String> facts) {
        if (found == null || !found.getClass().isRecord()) {
            return;
        }
        for (RecordComponent component : found.getClass().getRecordComponents()) {
            ReflectionUtils.makeAccessible(component.getAccessor());
            Object value = ReflectionUtils.invokeMethod(component.getAccessor(), found);
            String name = prefix + Capability.snake(component.getName());
            String label = frame.textOr("fact." + name, "");
            if (!label.isEmpty() && value != null && !value.toString().isEmpty()) {
                facts.put(label, text(name, value, frame));
            } else if (label.isEmpty() && prefix.isEmpty()) {
                add(value, name + ".", frame, facts);
            }
        }
    }

    private static String text(String name, Object value, Frame frame) {
        if (value instanceof Amount amount) {
            return frame.amount(amount);
        }
        if (value instanceof Instant at) {
            return frame.time(at);
        }
        if (value instanceof Boolean yes) {
            return frame.text(yes ? "shared.yes" : "shared.no");
        }
        return frame.option(name, value instanceof Coded coded ? coded.code() : value.toString());
    }
}
