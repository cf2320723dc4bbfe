package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of commands and events. Unknown fields are ignored, so that an older service reads messages of a newer one; a missing
 * or null field or a wrong type is an {@link InvalidMessage}. Times are ISO 8601 in UTC, amounts are whole cents. Golden files in
 * the tests fix the format.
 */
public final class MessageJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new MessageModule())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            // refuse wrong types: 150.75 must not become 150 cents, nor the number 1 a cashout
            .withCoercionConfigDefaults(MessageJson::refuseOtherTypes)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .annotationIntrospector(
                    AnnotationIntrospector.pair(new JacksonAnnotationIntrospector(), new NonNullIntrospector()))
            .build();
    private static final ObjectWriter COMMAND_WRITER = MAPPER.writerFor(TransactionCommand.class);
    private static final ObjectReader COMMAND_READER = MAPPER.readerFor(TransactionCommand.class);
    private static final ObjectWriter EVENT_WRITER = MAPPER.writerFor(TransactionEvent.class);
    private static final ObjectReader EVENT_READER = MAPPER.readerFor(TransactionEvent.class);
    private static final ObjectWriter BOOK_EVENT_WRITER = MAPPER.writerFor(BookEvent.class);
    private static final ObjectReader BOOK_EVENT_READER = MAPPER.readerFor(BookEvent.class);

    private MessageJson() {}

    public static byte[] write(TransactionCommand command) {
        return COMMAND_WRITER.writeValueAsBytes(command);
    }

    public static byte[] write(TransactionEvent event) {
        return EVENT_WRITER.writeValueAsBytes(event);
    }

    public static byte[] write(BookEvent event) {
        return BOOK_EVENT_WRITER.writeValueAsBytes(event);
    }

    /**
     * @param json the value of a Kafka record, which may be null
     * @throws InvalidMessage if {@code json} is not a command that this version knows
     */
    public static TransactionCommand readCommand(byte @Nullable [] json) {
        return read(COMMAND_READER, json);
    }

    /** As {@link #readCommand}. */
    public static TransactionEvent readEvent(byte @Nullable [] json) {
        return read(EVENT_READER, json);
    }

    /** As {@link #readCommand}. */
    public static BookEvent readBookEvent(byte @Nullable [] json) {
        return read(BOOK_EVENT_READER, json);
    }

    private static <T> T read(ObjectReader reader, byte @Nullable [] json) {
        if (json == null) {
            throw new InvalidMessage("no value (expected: an object)");
        }
        T message;
        try {
            message = reader.readValue(json);
        } catch (JacksonException unreadable) {
            throw new InvalidMessage(unreadable);
        }
        if (message == null) {
            throw new InvalidMessage("null (expected: an object)");
        }
        return message;
    }

    private static void refuseOtherTypes(MutableCoercionConfig coercions) {
        for (CoercionInputShape shape : CoercionInputShape.values()) {
            coercions.setCoercion(shape, CoercionAction.Fail);
        }
    }

    /**
     * Makes Jackson refuse JSON in which a record component is null or missing, unless its type is {@link Nullable}. Without it the
     * null would get past the compiler's null checks and cause an exception far from the message.
     */
    private static final class NonNullIntrospector extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
            return isRequired(annotated) ? JsonSetter.Value.forValueNulls(Nulls.FAIL) : JsonSetter.Value.empty();
        }

        private static boolean isRequired(Annotated annotated) {
            return annotated instanceof AnnotatedParameter parameter
                    && parameter.getOwner() instanceof AnnotatedConstructor
                    && parameter.getDeclaringClass().isRecord()
                    && !parameter
                            .getDeclaringClass()
                            .getRecordComponents()[parameter.getIndex()]
                            .getAnnotatedType()
                            .isAnnotationPresent(Nullable.class);
        }
    }
}
