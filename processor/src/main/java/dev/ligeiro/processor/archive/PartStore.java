package dev.ligeiro.processor.archive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.Sorts;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.ligeiro.processor.archive.MonthStore.Month;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The files of archived months: their content in the folder or bucket, and what MongoDB knows of them, without which none is read. */
@Component
@ConditionalOnProperty("ligeiro.archive.to")
class PartStore {

    private static final String ID = "_id";
    private static final String MONTH = "m";
    private static final String GENERATION = "g";
    private static final String NUMBER = "n";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String TRANSACTIONS = "transactions";
    private static final String BYTES = "bytes";
    private static final String SHA256 = "sha256";
    private static final String STATUSES = "statuses";

    private final MongoCollection<BsonDocument> parts;
    private final ArchiveFiles files;

    PartStore(MongoDatabase database, ArchiveFiles files) {
        this.parts = database.getCollection(CollectionNames.ARCHIVED_PARTS, BsonDocument.class)
                .withReadConcern(ReadConcern.MAJORITY);
        this.files = files;
    }

    /** Fails if MongoDB knows of files and this is not the folder or bucket that they were written to. */
    Mono<Void> requireFolder() {
        return isEmpty()
                .filter(isEmpty -> !isEmpty)
                .flatMap(known -> ArchiveFiles.call(() -> {
                    files.requireMark();
                    return true;
                }))
                .then();
    }

    private Mono<Boolean> isEmpty() {
        return Mono.from(parts.find().limit(1)).hasElement().map(found -> !found);
    }

    /** The files of a month, after the first {@code after} ones, in their order. */
    Flux<ArchivedPart> of(Month month, int after) {
        return Flux.from(parts.find(and(ofMonth(month), gt(ID, id(month, after))))
                        .sort(Sorts.ascending(ID)))
                .map(PartStore::part)
                // all at once: a cursor ends after the driver's time-out, and a file may take minutes
                .collectList()
                .flatMapIterable(all -> all);
    }

    private static Bson ofMonth(Month month) {
        return and(gt(ID, id(month, 0)), lt(ID, id(month, Integer.MAX_VALUE)));
    }

    private static BsonDocument id(Month month, int number) {
        return new BsonDocument(MONTH, new BsonString(month.month().toString()))
                .append(GENERATION, new BsonInt32(month.generation()))
                .append(NUMBER, new BsonInt32(number));
    }

    private static ArchivedPart part(BsonDocument found) {
        Map<String, Long> statuses = new TreeMap<>();
        found.getDocument(STATUSES)
                .forEach((status, count) -> statuses.put(status, count.asInt64().getValue()));
        return new ArchivedPart(
                found.getDocument(ID).getInt32(NUMBER).getValue(),
                StoredValues.uuid(found, FIRST),
                StoredValues.uuid(found, LAST),
                found.getInt64(TRANSACTIONS).getValue(),
                found.getInt64(BYTES).getValue(),
                StoredValues.text(found, SHA256),
                statuses);
    }

    /**
     * Notes a file and writes it. It is not finished before {@link MonthStore#done}. Fails before the writing if another file has its number, so
     * a processor that was paused, and has lost the lease, replaces no file.
     */
    Mono<ArchivedPart> write(Month month, int number, PartFile file) {
        return isEmpty()
                .flatMap(isFirst -> ArchiveFiles.call(() -> {
                    if (isFirst) {
                        files.write(ArchiveFiles.MARK, new byte[0]);
                    }
                    return file.complete(number);
                }))
                .flatMap(part -> insert(month, part).then(ArchiveFiles.call(() -> {
                    files.write(month.file(part.fileName()), file);
                    return part;
                })));
    }

    private Mono<Void> insert(Month month, ArchivedPart part) {
        BsonDocument statuses = new BsonDocument();
        part.statuses().forEach((status, count) -> statuses.append(status, new BsonInt64(count)));
        return Mono.from(parts.insertOne(new BsonDocument(ID, id(month, part.number()))
                        .append(FIRST, TransactionCodec.binary(part.first()))
                        .append(LAST, TransactionCodec.binary(part.last()))
                        .append(TRANSACTIONS, new BsonInt64(part.transactions()))
                        .append(BYTES, new BsonInt64(part.bytes()))
                        .append(SHA256, new BsonString(part.sha256()))
                        .append(STATUSES, statuses)))
                .then();
    }

    /** Uses a copy of a file. Fails with {@link PartFile.AlteredFile} before the use if the file is missing or is not as it was written. */
    <T> Mono<T> read(Month month, ArchivedPart part, Function<PartFile, Mono<T>> use) {
        return PartFile.using(() -> PartFile.copy(files, month.file(part.fileName()), part), use);
    }

    /** Writes the last file of a month, and reads it back. */
    Mono<Void> write(Month month, Manifest manifest) {
        String name = month.file(Manifest.FILE_NAME);
        return ArchiveFiles.call(() -> {
                    byte[] json = manifest.json();
                    files.write(name, json);
                    try (InputStream stored = files.open(name)) {
                        if (!Arrays.equals(stored.readAllBytes(), json)) {
                            throw new IOException(name + " (expected: as it was written)");
                        }
                    }
                    return true;
                })
                .then();
    }

    /** MongoDB forgets a file; another one gets its name. */
    Mono<Void> remove(Month month, ArchivedPart part) {
        return Mono.from(parts.deleteOne(eq(ID, id(month, part.number())))).then();
    }

    Mono<Void> removeAll(Month month) {
        return Mono.from(parts.deleteMany(ofMonth(month))).then();
    }
}
