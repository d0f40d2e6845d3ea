package io.berth.plugins.volume;

import io.berth.api.spec.Volume;
import org.jspecify.annotations.Nullable;

/// The volumes that Kubernetes itself knew how to handle, and the drivers that handle them now.
public enum InTreeVolume {
    AWS_EBS("kubernetes.io/aws-ebs", "ebs.csi.aws.com", true),
    GCE_PD("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", true),
    AZURE_DISK("kubernetes.io/azure-disk", "disk.csi.azure.com", true),
    AZURE_FILE("kubernetes.io/azure-file", "file.csi.azure.com", false),
    CINDER("kubernetes.io/cinder", "cinder.csi.openstack.org", true),
    PORTWORX("kubernetes.io/portworx-volume", "pxd.portworx.com", true),
    VSPHERE("kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", false);

    private final String plugin;
    private final String driver;
    private final boolean isMigrated;

    InTreeVolume(String plugin, String driver, boolean isMigrated) {
        this.plugin = plugin;
        this.driver = driver;
        this.isMigrated = isMigrated;
    }

    /// The name by which storage classes and nodes call it.
    public String plugin() {
        return plugin;
    }

    public String driver() {
        return driver;
    }

    /// Whether scheduling counts it as its driver's (VL-4).
    public boolean isMigrated() {
        return isMigrated;
    }

    /// What a source is; null for all other sources.
    public static @Nullable InTreeVolume of(Volume.Source source) {
        return switch (source) {
            case Volume.AwsElasticBlockStore _ -> AWS_EBS;
            case Volume.GcePersistentDisk _ -> GCE_PD;
            case Volume.AzureDisk _ -> AZURE_DISK;
            case Volume.AzureFile _ -> AZURE_FILE;
            case Volume.Cinder _ -> CINDER;
            case Volume.Portworx _ -> PORTWORX;
            case Volume.Vsphere _ -> VSPHERE;
            default -> null;
        };
    }

    /// By its name; null for a driver's, or anybody else's.
    public static @Nullable InTreeVolume ofPlugin(String name) {
        for (var each : values()) {
            if (each.plugin.equals(name)) {
                return each;
            }
        }
        return null;
    }
}
