"""`NodeLaunchTemplate`: EC2 nodes with every EFA interface they have, in one placement group and a reservation."""

from aws_cdk import Fn, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct

from epochwise.catalog.efa_interfaces import node_interfaces
from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.existing_vpc import see_subnet
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.known_region import known_region
from epochwise.cdk.node_image import see_image
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.cdk.user_data import seen_user_data
from epochwise.checks.node_image import node_image_findings
from epochwise.checks.node_launch import node_launch_findings, nodes_of_other_type
from epochwise.checks.user_data import user_data_too_large


class NodeLaunchTemplate(Construct):
    """A launch template of EC2 nodes in a training network, for fleets, AWS Batch or your own instances.

    CDK's own launch template knows neither EFA nor several interfaces. This one has an interface on each network card
    with EFA, in the network's subnet and groups, and a cluster placement group. SageMaker sets its nodes up by itself.

    A managed node group of EKS takes no template that names a subnet: with `node_group=True` the template names none,
    and the group is given the network's, so that its nodes are where the data is:
    `subnets=ec2.SubnetSelection(subnets=[network.private_subnet])`. Neither has been run against AWS yet.

    | attribute | is |
    |---|---|
    | `launch_template_id`, `latest_version` | what a fleet names |
    | `placement_group_name` | the placement group of the nodes |
    | `interfaces` | the interfaces of a node, in their order |
    """

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        network: TrainingNetwork,
        instance_type: str,
        image: ec2.IMachineImage | None = None,
        user_data: ec2.UserData | None = None,
        instance_profile: iam.IInstanceProfile | None = None,
        capacity_reservation_id: str | None = None,
        capacity_block: bool = False,
        node_group: bool = False,
    ) -> None:
        """Create the template and the placement group.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            network: where the nodes are; let its groups into the file system.
            instance_type: EC2's name; SageMaker's is taken too. Of a type that starts in a cluster placement group.
            image: of Linux, for the processors of the type, with the EFA driver; whoever launches says it by default.
            user_data: such as the file system's `user_data(...)`.
            instance_profile: what the nodes run as.
            capacity_reservation_id: a targeted reservation, cr-0123456789abcdef0.
            capacity_block: whether that reservation is a Capacity Block.
            node_group: whether it is for a managed node group of EKS, which names subnets and instance profile itself.

        Raises:
            ValueError: the instance type does not exist or does not start in a placement group, the image is not for
                it or cannot be found, the user data is too large or of Windows, or the reservation's id is none.
        """
        known = not Token.is_unresolved(capacity_reservation_id)
        seen = None if user_data is None else seen_user_data(user_data, scope)
        findings = [
            *node_launch_findings(
                instance_type=instance_type,
                capacity_reservation_id=capacity_reservation_id if known else None,
                capacity_block=capacity_block and known,
                node_group=node_group,
                instance_profile=instance_profile is not None,
                image=image is not None,
                user_data=user_data is not None,
                multipart=isinstance(user_data, ec2.MultipartUserData),
                powershell=seen is not None and seen.is_powershell,
            ),
            *nodes_of_other_type(
                network.addresses, instance_type, see_subnet(network.private_subnet, network.vpc).prefix_length
            ),
        ]
        if image is not None:
            findings += node_image_findings(
                see_image(image, scope),
                instance_type=instance_type,
                region=known_region(scope),
                account_known=not Token.is_unresolved(Stack.of(scope).account),
            )
        if seen is not None:
            findings += user_data_too_large(seen.size_bytes)
        remarks = refuse_errors(findings)
        row = catalog_row(instance_type)
        assert row is not None  # noqa: S101 - a type that does not exist is refused above
        super().__init__(scope, construct_id)
        self.interfaces = node_interfaces(row)
        group = ec2.CfnPlacementGroup(self, "PlacementGroup", strategy="cluster")
        self.placement_group_name = group.ref
        template = ec2.CfnLaunchTemplate
        resource = template(
            self,
            "Resource",
            launch_template_data=template.LaunchTemplateDataProperty(
                instance_type=row.name,
                image_id=None if image is None else image.get_image(self).image_id,
                user_data=None if user_data is None else Fn.base64(user_data.render()),
                iam_instance_profile=None
                if instance_profile is None
                else template.IamInstanceProfileProperty(arn=instance_profile.instance_profile_arn),
                metadata_options=template.MetadataOptionsProperty(http_tokens="required"),
                placement=template.PlacementProperty(group_name=group.ref),
                network_interfaces=[
                    template.NetworkInterfaceProperty(
                        network_card_index=interface.network_card,
                        device_index=interface.device,
                        interface_type=interface.kind,
                        subnet_id=None if node_group else network.private_subnet.subnet_id,
                        groups=[each.security_group_id for each in network.security_groups],
                        delete_on_termination=True,
                    )
                    for interface in self.interfaces
                ],
                capacity_reservation_specification=None
                if capacity_reservation_id is None
                else template.CapacityReservationSpecificationProperty(
                    capacity_reservation_target=template.CapacityReservationTargetProperty(
                        capacity_reservation_id=capacity_reservation_id
                    )
                ),
                instance_market_options=template.InstanceMarketOptionsProperty(market_type="capacity-block")
                if capacity_block
                else None,
            ),
        )
        self.launch_template_id = resource.ref
        self.latest_version = resource.attr_latest_version_number
        annotate(self, remarks)
