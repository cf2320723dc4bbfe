package dev.ligeiro.store;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionCommand;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;

/**
 * A change that was answered 202, in MongoDB until its outcome is in the transaction. Its sender stores it; gateways publish its command
 * again if Kafka has lost it.
 *
 * @param id that of the change
 * @param requestedAt when its command was last to be published
 * @param command null if it cannot be read, for example because a newer version has written it
 */
public record QueuedChange(UUID id, Instant requestedAt, TransactionCommand.@Nullable Change command) {

    public static final String ID = "_id";
    public static final String REQUESTED_AT = "requestedAt";
    private static final String COMMAND = "command";

    public static Document document(TransactionCommand.Change command, Instant requestedAt) {
        return new Document(ID, command.change().id())
                .append(REQUESTED_AT, Date.from(requestedAt))
                .append(COMMAND, new Binary(MessageJson.write(command)));
    }

    public static QueuedChange of(Document found) {
        return new QueuedChange(
                found.get(ID, UUID.class), found.getDate(REQUESTED_AT).toInstant(), command(found));
    }

    private static TransactionCommand.@Nullable Change command(Document found) {
        try {
            return (TransactionCommand.Change)
                    MessageJson.readCommand(found.get(COMMAND, Binary.class).getData());
        } catch (RuntimeException unreadable) {
            return null;
        }
    }
}
