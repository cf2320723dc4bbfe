package dev.ligeiro.gateway.api.statement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A statement as XML, by the JDK's StAX: no library for these forms writes them in parts. */
abstract class XmlStatement implements StatementFile {

    static final String CURRENCY = "BRL";

    private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();
    private static final int PART_BYTES = 64 * 1024;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(PART_BYTES);
    private final XMLStreamWriter xml;

    protected final Head head;
    /** After the last entry so far. */
    protected long balance;

    XmlStatement(Head head) {
        this.head = head;
        this.balance = head.opening();
        try {
            this.xml = FACTORY.createXMLStreamWriter(bytes, UTF_8.name());
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    abstract void begin(XMLStreamWriter to) throws XMLStreamException;

    abstract void entry(XMLStreamWriter to, Line line) throws XMLStreamException;

    abstract void end(XMLStreamWriter to) throws XMLStreamException;

    @Override
    public final byte[] part(List<Line> lines, boolean isFirst, boolean isLast) {
        try {
            if (isFirst) {
                xml.writeStartDocument(UTF_8.name(), "1.0");
                begin(xml);
            }
            for (Line line : lines) {
                balance = line.balance();
                xml.writeCharacters("\n");
                entry(xml, line);
            }
            if (isLast) {
                xml.writeCharacters("\n");
                end(xml);
                xml.writeEndDocument();
            }
            xml.flush();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
        byte[] part = bytes.toByteArray();
        bytes.reset();
        return part;
    }

    final void open(String... names) throws XMLStreamException {
        for (String name : names) {
            xml.writeStartElement(name);
        }
    }

    final void close(int elements) throws XMLStreamException {
        for (int i = 0; i < elements; i++) {
            xml.writeEndElement();
        }
    }

    final void text(String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }
}
