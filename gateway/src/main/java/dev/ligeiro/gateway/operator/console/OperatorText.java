package dev.ligeiro.gateway.operator.console;

import dev.ligeiro.gateway.http.html.Language;
import dev.ligeiro.gateway.operator.attention.AgeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes values of the admin API in the reader's language. What is null reads as a dash. */
record OperatorText(Language language, ZoneId zone) {

    static final String ROOM = "console.operator";
    static final String NONE = "–";

    private static final int PERCENT = 100;

    String of(String key) {
        return language.text(ROOM, key);
    }

    String of(String key, Object... values) {
        return of(key).formatted(values);
    }

    /** The text of a code of the API; the code itself if the console does not know it. */
    String code(String kind, String code) {
        return orElse(kind + "." + code, code);
    }

    String orElse(String key, String fallback) {
        String found = find(key);
        return found == null ? fallback : found;
    }

    @Nullable
    String find(String key) {
        return language.find(ROOM, key);
    }

    String time(JsonNode time) {
        return time.isString() ? language.format(Instant.parse(time.asString()), zone) : NONE;
    }

    String amount(JsonNode amount) {
        return amount.isString() ? language.amount(amount.asString()) : NONE;
    }

    String text(JsonNode value) {
        return value.isNull() || value.isMissingNode() || value.asString("").isEmpty() ? NONE : value.asString();
    }

    String number(JsonNode value) {
        return value.isNumber() ? Long.toString(Math.round(value.asDouble())) : NONE;
    }

    String ratio(JsonNode value) {
        return value.isNumber() ? Math.round(value.asDouble() * PERCENT) + " %" : NONE;
    }

    String age(JsonNode seconds) {
        return seconds.isNumber() ? AgeText.of(Duration.ofSeconds((long) seconds.asDouble())) : NONE;
    }

    String yesNo(JsonNode value) {
        return of(value.asBoolean(false) ? "yes" : "no");
    }

    static boolean isGiven(@Nullable JsonNode value) {
        return value != null && !value.isNull() && !value.isMissingNode();
    }
}
