package dev.ligeiro.testing.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.connection.ServerId;
import com.mongodb.event.CommandStartedEvent;
import dev.ligeiro.infra.brokers.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardKeysTest {

    private final ShardKeys keys = new ShardKeys();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'transactions', filter: {_id: 1, tenant: 2}}",
                "{find: 'transactions', filter: {$and: [{_id: 1}, {tenant: {$in: [2, 3]}}]}}",
                "{find: 'transactions', filter: {$or: [{tenant: 2, reference: 'a'}, {tenant: 2, reference: 'b'}]}}",
                "{find: 'transactions', filter: {due: {$lt: 1}}, comment: 'all shards: sweep'}",
                "{update: 'webhook_deliveries', updates: [{q: {_id: 1, endpoint: 2}, u: {}}]}",
                "{insert: 'webhook_deliveries', documents: [{_id: 1, endpoint: 2}]}",
                "{createIndexes: 'transactions', indexes: [{key: {tenant: 1, reference: 1}, unique: true}, {key: {due: 1}}]}",
                "{find: 'webhook_lanes', filter: {_id: 1}}",
                "{aggregate: 1, pipeline: []}"
            })
    void whatNamesItsShardKeyIsAllowed(String command) {
        keys.commandStarted(started(command));

        assertThatCode(keys::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'transactions', filter: {_id: 1}}",
                "{find: 'transactions', filter: {tenant: {$gt: 2}}}",
                "{find: 'transactions', filter: {$or: [{tenant: 2, reference: 'a'}, {reference: 'b'}]}}",
                "{count: 'transactions', query: {status: 'paid'}}",
                "{aggregate: 'transactions', pipeline: [{$group: {_id: null}}]}",
                "{findAndModify: 'transactions', query: {_id: 1}}",
                "{delete: 'transactions', deletes: [{q: {_id: 1}}]}",
                "{update: 'webhook_deliveries', updates: [{q: {_id: 1, endpoint: 2}}, {q: {_id: 1}}]}",
                "{insert: 'webhook_deliveries', documents: [{_id: 1}]}",
                "{createIndexes: 'transactions', indexes: [{key: {reference: 1, tenant: 1}, unique: true}]}"
            })
    void whatDoesNotIsReportedOnce(String command) {
        keys.commandStarted(started(command));

        assertThatThrownBy(keys::check).hasMessageContaining("all shards");
        assertThatCode(keys::check).doesNotThrowAnyException();
        assertThat(keys.hasHeard()).isTrue();
    }

    @Test
    void theseKeysAreThoseOfTheDocumentedCommands() throws IOException {
        String page = Files.readString(ProjectRoot.find().resolve("infra/docs/capacity.md"));

        ShardKeys.KEYS.forEach((collection, field) ->
                assertThat(page).contains("sh.shardCollection(\"ligeiro.%s\", {%s: 1})".formatted(collection, field)));
    }

    private static CommandStartedEvent started(String json) {
        BsonDocument command = BsonDocument.parse(json);
        ConnectionDescription connection =
                new ConnectionDescription(new ServerId(new ClusterId(), new ServerAddress("localhost")));
        return new CommandStartedEvent(null, 1, 1, connection, "ligeiro", command.getFirstKey(), command);
    }
}
