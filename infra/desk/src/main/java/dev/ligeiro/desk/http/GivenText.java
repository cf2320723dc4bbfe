package dev.ligeiro.desk.http;

import dev.ligeiro.view.TrimmedText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Reads a text that means one when it is given and all when it is absent: an empty one is an error
 * ({@code @JsonDeserialize(using = GivenText.class)}).
 */
public final class GivenText extends StdDeserializer<String> {

    public GivenText() {
        super(String.class);
    }

    @Override
    public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
        return parser.hasToken(JsonToken.VALUE_STRING)
                        && TrimmedText.of(parser.getString()).isEmpty()
                ? (String) context.handleWeirdStringValue(String.class, "", "expected a value, or no such field")
                : context.readValue(parser, String.class);
    }
}
