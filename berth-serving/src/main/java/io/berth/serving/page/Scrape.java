package io.berth.serving.page;

/// The metrics behind one page.
public interface Scrape {
    /// A page without metrics.
    Scrape NONE =
            new Scrape() {
                @Override
                public byte[] text() {
                    return new byte[0];
                }

                @Override
                public void reset() {}
            };

    /// Everything, in Prometheus' text format 0.0.4.
    byte[] text();

    /// Forgets what was counted, where a metric can.
    void reset();
}
