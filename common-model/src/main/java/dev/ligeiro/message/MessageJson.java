package dev.ligeiro.message;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of commands and events: fields that a newer version has added are ignored, times are ISO 8601 in UTC, amounts are
 * whole cents. The golden files of the tests hold the form.
 */
public final class MessageJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();
    private static final ObjectWriter COMMAND_WRITER = MAPPER.writerFor(TransactionCommand.class);
    private static final ObjectReader COMMAND_READER = MAPPER.readerFor(TransactionCommand.class);
    private static final ObjectWriter EVENT_WRITER = MAPPER.writerFor(TransactionEvent.class);
    private static final ObjectReader EVENT_READER = MAPPER.readerFor(TransactionEvent.class);

    private MessageJson() {}

    public static byte[] write(TransactionCommand command) {
        return COMMAND_WRITER.writeValueAsBytes(command);
    }

    public static byte[] write(TransactionEvent event) {
        return EVENT_WRITER.writeValueAsBytes(event);
    }

    /** @throws InvalidMessage when {@code json} is no command that this version knows */
    public static TransactionCommand readCommand(byte[] json) {
        return read(COMMAND_READER, json);
    }

    /** @throws InvalidMessage when {@code json} is no event that this version knows */
    public static TransactionEvent readEvent(byte[] json) {
        return read(EVENT_READER, json);
    }

    private static <T> T read(ObjectReader reader, byte[] json) {
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
}
