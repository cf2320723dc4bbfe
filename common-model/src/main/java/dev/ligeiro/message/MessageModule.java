package dev.ligeiro.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedWithParams;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * What Jackson does slowly in each message, done faster and with the same JSON: times with milliseconds, and calls of records' constructors.
 * Reading an event takes 10 instead of 17.7 µs.
 */
final class MessageModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    /** Of a time with milliseconds; each 0 stands for a digit. */
    private static final byte[] TIME = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.ISO_8859_1);

    private static final long YEAR_0 = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long YEAR_10000 =
            Instant.parse("+10000-01-01T00:00:00Z").getEpochSecond();

    MessageModule() {
        addSerializer(new TimeWriter());
        addDeserializer(Instant.class, new TimeReader());
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addValueInstantiators(new RecordInstantiators());
    }

    /** Writes {@code 2026-03-10T14:30:15.123Z}, which is what {@link Instant#toString} makes of milliseconds other than 0. */
    private static final class TimeWriter extends StdSerializer<Instant> {

        TimeWriter() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant time, JsonGenerator json, SerializationContext context) {
            json.writeString(text(time));
        }

        private static String text(Instant time) {
            int millis = time.getNano() / 1_000_000;
            boolean hasOnlyMillis = millis != 0 && millis * 1_000_000 == time.getNano();
            if (!hasOnlyMillis || time.getEpochSecond() < YEAR_0 || time.getEpochSecond() >= YEAR_10000) {
                return time.toString();
            }
            LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
            byte[] text = TIME.clone();
            write(text, 0, 4, utc.getYear());
            write(text, 5, 7, utc.getMonthValue());
            write(text, 8, 10, utc.getDayOfMonth());
            write(text, 11, 13, utc.getHour());
            write(text, 14, 16, utc.getMinute());
            write(text, 17, 19, utc.getSecond());
            write(text, 20, 23, millis);
            return new String(text, StandardCharsets.ISO_8859_1);
        }

        private static void write(byte[] text, int from, int to, int number) {
            int rest = number;
            for (int i = to - 1; i >= from; i--) {
                text[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
    }

    /** Reads what {@link TimeWriter} writes, and leaves all else to Jackson. */
    private static final class TimeReader extends StdDeserializer<Instant> {

        TimeReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws JacksonException {
            Instant read = json.hasToken(JsonToken.VALUE_STRING) ? read(json.getString()) : null;
            return read == null ? InstantDeserializer.INSTANT.deserialize(json, context) : read;
        }

        private static @Nullable Instant read(String text) {
            if (text.length() != TIME.length) {
                return null;
            }
            for (int i = 0; i < TIME.length; i++) {
                char at = text.charAt(i);
                if (TIME[i] == '0' ? at < '0' || at > '9' : at != TIME[i]) {
                    return null;
                }
            }
            try {
                return LocalDateTime.of(
                                number(text, 0, 4),
                                number(text, 5, 7),
                                number(text, 8, 10),
                                number(text, 11, 13),
                                number(text, 14, 16),
                                number(text, 17, 19),
                                number(text, 20, 23) * 1_000_000)
                        .toInstant(ZoneOffset.UTC);
            } catch (DateTimeException noSuchTime) {
                return null;
            }
        }

        private static int number(String text, int from, int to) {
            int number = 0;
            for (int i = from; i < to; i++) {
                number = 10 * number + text.charAt(i) - '0';
            }
            return number;
        }
    }

    /** Jackson spreads the arguments of a constructor anew at each call; here a record has one handle that takes them as an array. */
    private static final class RecordInstantiators extends ValueInstantiators.Base {

        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier description, ValueInstantiator found) {
            AnnotatedWithParams creator = found.getWithArgsCreator();
            return description.getBeanClass().isRecord()
                            && found instanceof StdValueInstantiator jacksons
                            && creator instanceof AnnotatedConstructor constructor
                    ? new RecordInstantiator(jacksons, constructor.getAnnotated())
                    : found;
        }
    }

    private static final class RecordInstantiator extends StdValueInstantiator {

        private static final long serialVersionUID = 1L;

        private final transient MethodHandle constructor;

        RecordInstantiator(StdValueInstantiator jacksons, Constructor<?> constructor) {
            super(jacksons);
            constructor.setAccessible(true);
            try {
                this.constructor = MethodHandles.lookup()
                        .unreflectConstructor(constructor)
                        .asSpreader(Object[].class, constructor.getParameterCount())
                        .asType(MethodType.methodType(Object.class, Object[].class));
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(constructor + " is accessible", impossible);
            }
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] arguments) {
            try {
                return constructor.invokeExact(arguments);
            } catch (Error fatal) {
                // no fault of the message
                throw fatal;
            } catch (Throwable refused) {
                return context.handleInstantiationProblem(getValueClass(), null, rewrapCtorProblem(context, refused));
            }
        }
    }
}
